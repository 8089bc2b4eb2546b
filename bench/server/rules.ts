// What it costs a redirect that its link decides: npm run bench:rules -- --help
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { takeCores } from '../measuring/cores.ts';
import { median, number, pairedRatio, ratio } from '../measuring/figures.ts';
import { browserHeaders, createLoad, type Load } from '../measuring/load.ts';
import { isInstalled } from '../measuring/machine.ts';
import { say, sayTable } from '../measuring/report.ts';
import { linkfold, mainTree, startServer } from '../measuring/servers.ts';
import { workFolder } from '../measuring/work-folder.ts';

const usage = `npm run bench:rules -- [options]

  --rounds N    interleaved rounds; default 7
  --seconds N   load on each link in a round; default 2
`;

const url = 'https://example.com/spring?utm_source=billboard';
const elsewhere = { url: 'https://example.com/elsewhere' };

/** Ten rules of two conditions each, none of which holds for the load's browser; or only the tenth. */
function tenRules(lastHolds: boolean) {
  const kinds = [
    { fact: 'country', values: ['AT', 'CH'] },
    { fact: 'os', values: ['ios', 'android'] },
    { fact: 'referrer', values: ['news.example', 'mail.example'] },
    { fact: 'query', name: 'ref', values: ['a'] },
    { fact: 'class', values: ['preview'] },
  ];
  return Array.from({ length: 10 }, (_, at) => ({
    name: `Rule ${at + 1}`,
    when:
      at === 9 && lastHolds ? [] : [kinds[at % kinds.length], { fact: 'device', values: ['tv', 'tablet'] }],
    to: elsewhere,
  }));
}

const password = 'correct horse';

const contenders = [
  { name: 'plain', fields: {} },
  { name: 'ten rules, none holds', fields: { rules: tenRules(false) } },
  { name: 'ten rules, the last holds', fields: { rules: tenRules(true) } },
  { name: 'maxClicks, far from reached', fields: { maxClicks: 1_000_000_000 } },
  { name: 'password, with its cookie', fields: { password } },
] as const;

/** The headers of a visitor that has given the password of a link. */
async function openedBy(server: string, code: string): Promise<Record<string, string>> {
  const body = new URLSearchParams({ password });
  const answer = await fetch(`${server}/${code}`, { method: 'POST', body, redirect: 'manual' });
  const [cookie = ''] = answer.headers.getSetCookie();
  if (answer.status !== 303 || cookie === '') throw new Error(await answer.text());
  return { ...browserHeaders, cookie: cookie.split(';', 1)[0] ?? '' };
}

async function codesOf(server: string, key: string): Promise<string[]> {
  const codes: string[] = [];
  for (const { fields } of contenders) {
    const answer = await fetch(`${server}/api/v1/shorten`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, ...fields }),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
    const { data } = (await answer.json()) as { data: { shortCode: string } };
    codes.push(data.shortCode);
  }
  return codes;
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  say(usage);
} else {
  const dir = workFolder();
  const cores = takeCores();
  const dataDir = join(dir, 'data');
  const env = { ...process.env, DATA_DIR: dataDir };
  const run = (...args: string[]): string =>
    spawnSync(join(mainTree, 'bin', 'linkfold'), args, { env })
      .stdout.toString()
      .trim();
  run('db', 'migrate');
  const key = run('keys', 'create', '--account', 'bench');
  const program = await linkfold('linkfold', { tree: mainTree, dataDir, code: 'readyz' });
  const server = await startServer({ ...program, status: 200 }, [cores.server]);
  const codes = await codesOf(server.url, key);
  const load = createLoad(isInstalled('wrk', '-v') ? 'wrk' : 'autocannon', cores, dir);
  const headersOf = await Promise.all(
    contenders.map(({ fields }, at) =>
      'password' in fields ? openedBy(server.url, codes[at] ?? '') : browserHeaders,
    ),
  );
  const seen: Load[][] = contenders.map(() => []);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [at, code] of codes.entries()) {
      const requests = { headers: headersOf[at] ?? browserHeaders, paths: [`/${code}`] };
      const options = { server, connections: 64, seconds: Number(values.seconds) };
      seen[at]?.push(await load(requests, options));
    }
  }
  await server.stop();
  const [plain = []] = seen;
  const costOf = (loads: readonly Load[]): number[] => loads.map(({ cpuUs }) => cpuUs);
  sayTable([
    ['link', 'answers/s', 'CPU µs an answer', 'of a plain one', 'failed'],
    ...contenders.map(({ name }, at) => {
      const loads = seen[at] ?? [];
      return [
        name,
        number(median(loads.map(({ perSecond }) => perSecond))),
        median(costOf(loads)).toFixed(1),
        ratio(pairedRatio(costOf(loads), costOf(plain)).median),
        number(loads.reduce((sum, { failed }) => sum + failed, 0)),
      ];
    }),
  ]);
}
