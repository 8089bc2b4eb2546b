import type { Command } from 'commander';
import { mendLink } from '../../api/imports/mend.ts';
import { createCheck, type ExampleCount as Examples, type Refusal } from '../../importers/check.ts';
import { type LinkLine, readLine } from '../../importers/format.ts';
import { jsonLines } from '../../importers/reading/tables.ts';
import type { Problem } from '../../model/failures.ts';
import { codeProblems, couldBeExactCode, foldCode, isReserved } from '../../model/links/codes/codes.ts';
import { tagKey } from '../../model/links/tags.ts';
import { pathOfBase } from '../../runtime/base-path.ts';
import { openRows } from '../links/rows.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { readConfig } from '../terminal/local.ts';
import { clean, count, plural, printJson, printLine } from '../terminal/print.ts';
import type { ServerConnection } from '../terminal/references.ts';
import { addServerCommand, connectToServer, type RemoteOptions } from '../terminal/remote.ts';
import { notImportFile } from './apply.ts';
import { noticeText, shownWarnings, stopIfStrict, strictHelp, type UnusedColumns } from './notices.ts';

/** Adds `import check`, which reports which part of a file can be imported. */
export function addCheck(group: Command): void {
  addServerCommand(group, 'check', 'Check a file created by import read without importing it', {
    examples: [
      [
        'linkfold import check links.ndjson',
        'shows counts, rejected links with reasons, and unsupported features',
      ],
      ['linkfold import check links.ndjson --json', 'for scripts'],
    ],
    notes:
      'Links are validated with the local settings, so run the command on the server’s machine. The server provides ' +
      'plan limits and domains. Whether a code is taken is only checked during the import.',
    refused: 'some rows cannot be imported, or the file is incomplete',
  })
    .argument('<file>', 'file created by import read; - is stdin')
    .option('--strict', strictHelp)
    .action(check);
}

async function check(path: string, options: RemoteOptions & { readonly strict?: true }): Promise<void> {
  const report = await reportOn(path, await connectToServer(options));
  const { isWhole, problems, beyondPlan, refused, warnings, unusedColumns } = report;
  if (options.json) printJson(report);
  else printReport(report);
  if (!isWhole) throw new Stop(exits.refused, 'The file is incomplete. Run "linkfold import read" again.');
  if (options.strict) stopIfStrict(warnings.count, unusedColumns);
  if (problems + beyondPlan + Object.keys(refused).length > 0)
    throw new Stop(exits.refused, 'Some rows cannot be imported.');
}

/**
 * Checks which part of a file can be imported.
 * @throws Stop if the file is not an import file
 */
export async function reportOn(path: string, { client }: ServerConnection) {
  const { limits, usage } = await client.me();
  const hosts = await client.listDomains();
  const modes = new Map<string | null, 'folded' | 'exact'>(hosts.map(({ host, codes }) => [host, codes]));
  modes.set(null, hosts.find(({ isDefault }) => isDefault)?.codes ?? 'folded');
  const own = new Set<string | null>(hosts.flatMap(({ host, isShared }) => (isShared ? [] : host)));
  if (hosts.some(({ isDefault, isShared }) => isDefault && !isShared)) own.add(null);
  const tags = new Set<string>();
  const rules = ourRules((domain) => own.has(domain), tags);
  const found = createCheck({ ...rules, fold: foldCode, codesOf: (domain) => modes.get(domain) });
  let isBegun = false;
  let isWhole = false;
  let problems = 0;
  const warnings: Examples = { count: 0, examples: [] };
  const unusedColumns: UnusedColumns = {};
  for await (const read of jsonLines((await openRows(path)).chunks)) {
    const line = 'error' in read ? read.error : readLine(read.value);
    if (!isBegun && (typeof line === 'string' || line.type !== 'import')) throw notImportFile();
    isBegun = true;
    isWhole = typeof line !== 'string' && line.type === 'end';
    if (typeof line === 'string') found.unread(`line ${read.line}: ${line}`);
    else if (line.type === 'link') found.link(line);
    else if (line.type === 'problem') problems += 1;
    else if (line.type === 'unused') unusedColumns[line.where] = line.columns;
    else if (line.type === 'warning') {
      warnings.count += 1;
      if (warnings.count <= shownWarnings) warnings.examples.push(noticeText(line));
    } else if ('key' in line) found.clicks(line);
  }
  const known = tags.size === 0 ? [] : (await client.listTags()).map(({ name }) => tagKey(name));
  const allTags = tags.union(new Set(known)).size;
  const domains = [...found.domains.values()];
  const links = domains.reduce((sum, domain) => sum + domain.links, 0);
  return {
    links,
    ...found.clicksFound(),
    problems,
    warnings,
    unusedColumns,
    isWhole,
    domains,
    clicksOfUnknownLinks: found.linesOfNone(),
    refused: Object.fromEntries(found.refused),
    lost: Object.fromEntries(found.lost),
    mended: found.mended,
    tagsBeyondLimit: Math.max(0, allTags - Math.max(rules.tagLimit, known.length)),
    beyondPlan: limits.links === null ? 0 : Math.max(0, usage.links + links - limits.links),
    linkLifetimeDays: limits.linkLifetimeDays,
  };
}

export function printReport(report: Awaited<ReturnType<typeof reportOn>>): void {
  const { links, clicks, problems, domains, beyondPlan, linkLifetimeDays, clicksOfUnknownLinks } = report;
  const { clicksOfRefusedLinks, warnings, unusedColumns, mended, tagsBeyondLimit } = report;
  printLine(
    `${plural(links, 'link')} and ${plural(clicks, 'click')}; ${count(problems)} could not be read from the source.`,
  );
  for (const [where, columns] of Object.entries(unusedColumns))
    printLine(noticeText({ type: 'unused', where, columns: [...columns] }));
  if (warnings.count > 0)
    printLine(`${plural(warnings.count, 'value')} could not be read and will be left out:`);
  for (const example of warnings.examples) printLine(`  ${example}`);
  for (const { domain, codes, links: of, needExact } of domains) {
    const name = domain === null ? 'the default domain' : clean(domain);
    printLine(`${name}: ${plural(of, 'link')}${codes === null ? '; not a domain of the account yet' : ''}`);
    if (needExact > 0)
      printLine(`  ${plural(needExact, 'code')} require exact codes: import apply --exact ${name}`);
  }
  if (beyondPlan > 0) printLine(`${plural(beyondPlan, 'link')} over the plan's limit.`);
  if (linkLifetimeDays !== null)
    printLine(`New links created with this key expire after ${linkLifetimeDays} days.`);
  if (clicksOfUnknownLinks > 0)
    printLine(`${plural(clicksOfUnknownLinks, 'line')} of clicks belong to no link in the file.`);
  if (clicksOfRefusedLinks > 0) printLine(`${plural(clicksOfRefusedLinks, 'click')} on rejected links.`);
  if (tagsBeyondLimit > 0)
    printLine(
      `${plural(tagsBeyondLimit, 'tag')} over the account's limit; links are imported without these tags.`,
    );
  if (mended.count > 0) printLine(`${plural(mended.count, 'part')} of links will be changed or dropped:`);
  for (const example of mended.examples) printLine(`  ${clean(example)}`);
  for (const [code, { count: times, examples }] of Object.entries(report.refused)) {
    printLine(`rejected: ${code}, ${count(times)}`);
    for (const example of examples) printLine(`  ${clean(example)}`);
  }
  for (const [what, { count: times }] of Object.entries(report.lost))
    printLine(`not supported: ${clean(what)}, on ${plural(times, 'link')}`);
}

/**
 * Returns the rules for validating new links, based on this installation's settings.
 * @param isOwn returns true for a custom domain of the account, which reserves fewer codes
 * @param tags collects the tags that the links will have
 */
function ourRules(isOwn: (domain: string | null) => boolean, tags: Set<string>) {
  const config = readConfig();
  const rules = {
    now: Date.now,
    codeCharacters: config.CODE_CHARACTERS,
    codeSegments: config.CODE_SEGMENTS,
    destinations: {
      maxLength: config.MAX_URL_LENGTH,
      ownHosts: new Set(config.BASE_URL === null ? [] : [new URL(config.BASE_URL).host]),
      ownPath: pathOfBase(config.BASE_URL),
      blockedHosts: config.BLOCKED_HOSTS,
      blockPrivate: config.BLOCK_PRIVATE_DESTINATIONS,
      isListed: () => false,
      appSchemes: { has: () => true },
    },
  };
  const refusal = ({ code, message }: Problem): Refusal => ({ code, message });
  return {
    tagLimit: config.TAG_LIMIT,
    checkFields(link: LinkLine) {
      const { values, problems, mended } = mendLink(rules, link);
      for (const name of values.tags ?? []) tags.add(tagKey(name));
      return { refusals: problems.map(refusal), mended };
    },
    codeRefusal(code: string, codes: 'folded' | 'exact', domain: string | null) {
      if (codes === 'exact')
        return couldBeExactCode(code) && !isReserved(code, '=')
          ? undefined
          : { code: 'INVALID_CUSTOM_CODE', message: `${code} is not a valid code.` };
      const [first] = codeProblems({ customCode: code }, rules);
      if (first !== undefined) return refusal(first);
      return isReserved(code, isOwn(domain) ? 'own' : '')
        ? { code: 'CUSTOM_CODE_RESERVED', message: `${code} is a reserved word.` }
        : undefined;
    },
  };
}
