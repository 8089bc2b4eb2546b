import { parseArgs } from 'node:util';

/** Parts of the benchmark, in order. The last four run only if `--only` names them. */
export const parts = [
  ...(['browser', 'strict', 'connections', 'mixed', 'creates', 'start', 'memory', 'sustained'] as const),
  ...(['importing', 'webhooks', 'statistics', 'sizes'] as const),
];
export type Part = (typeof parts)[number];
const usual = parts.slice(0, parts.indexOf('importing'));

/** Number and length of rounds. */
export interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface Options {
  readonly links: number;
  readonly only: ReadonlySet<Part>;
  readonly pace: Pace;
  /** A revision or folder to measure in the same rounds as this version. */
  readonly compare: string | undefined;
  /** Prints a profile of a redirect and measures nothing else. */
  readonly profile: boolean;
  /** Duration of the sustained load, in seconds. */
  readonly sustained: number;
  readonly json: string | undefined;
}

const paces = {
  usual: { rounds: 7, seconds: 2, warmUpSeconds: 3 },
  // Many short rounds distinguish two versions best.
  compare: { rounds: 12, seconds: 1, warmUpSeconds: 3 },
  quick: { rounds: 2, seconds: 1, warmUpSeconds: 1 },
};
const minLinks = 2_000;

export const usage = `npm run bench -- [options]

  --quick           fewer and shorter rounds, for a rough estimate
  --only PARTS      comma-separated: ${parts.join(', ')};
                    default: all but the last four
  --compare REV     also measure another version in the same rounds; figures that are at least 5 % worse are listed (exit code 1);
                    REV is a commit, branch or tag, or a folder with a checkout
  --profile         only print where redirects spend CPU time
  --links N         links in the database; default 1,000,000 (created once, kept in bench/.cache)
  --sustained S     seconds of sustained load; default 30; the goals apply to 130
  --json FILE       also write the figures as JSON
`;

/** Parses the command line. @returns undefined for --help. @throws Error whose message describes the mistake */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      links: { type: 'string', default: '1000000' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: usual.join(',') },
      compare: { type: 'string' },
      profile: { type: 'boolean', default: false },
      sustained: { type: 'string', default: '30' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const links = Number(values.links.replaceAll(/[,_]/g, ''));
  if (!(links >= minLinks && links % 100 === 0))
    throw new Error(`--links must be a multiple of 100, and at least ${minLinks}.`);
  const sustained = Number(values.sustained);
  if (!(sustained >= 10)) throw new Error('--sustained must be a number of seconds, and at least 10.');
  const only = values.only.split(',').map((name) => {
    const part = parts.find((one) => one === name.trim());
    if (part === undefined) throw new Error(`Unknown part in --only: "${name}". Parts: ${parts.join(', ')}.`);
    return part;
  });
  const { compare, profile, json } = values;
  const pace = paces[values.quick ? 'quick' : compare === undefined ? 'usual' : 'compare'];
  return { links, only: new Set(only), pace, compare, profile, sustained, json };
}
