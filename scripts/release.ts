import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// Creates a release on this machine: updates version and changelog, commits and tags. Pushes and publishes nothing.

const usage = `Usage: npm run release -- VERSION [--dry-run] [--notes FILE]

  VERSION       new version, such as 0.2.0; must be greater than the version in package.json
  --dry-run     change nothing; print the release notes and the planned steps
  --notes FILE  write the release notes to FILE instead of printing them`;

const root = join(import.meta.dirname, '..');
const chart = 'deploy/helm/linkfold/Chart.yaml';
const changed = ['CHANGELOG.md', 'package.json', 'package-lock.json', 'openapi.json', chart] as const;

/** A reason why a release cannot be created. */
class Refusal extends Error {}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function write(file: string, text: string): void {
  writeFileSync(join(root, file), text);
}

/** Parses major, minor and patch. @throws Refusal if the string is not a version of three numbers */
function numbersOf(version: string): number[] {
  if (!/^(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}$/.test(version))
    throw new Refusal(`"${version}" is not a version such as 0.2.0.\n\n${usage}`);
  return version.split('.').map(Number);
}

function isGreater(version: string, other: string): boolean {
  const [mine, others] = [numbersOf(version), numbersOf(other)];
  const at = mine.findIndex((number, place) => number !== others[place]);
  return at >= 0 && Number(mine[at]) > Number(others[at]);
}

/** Returns the changelog entries for the next version. @throws Refusal if the changelog has no entries */
function unreleased(changelog: string): string {
  const [, notes = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  if (notes.trim() === '')
    throw new Refusal('CHANGELOG.md has no entries under "## Unreleased". Add the changes of this release.');
  return notes.trim();
}

/** Checks the requirements for a release. @throws Refusal for the first requirement that is not met */
function requireReleasable(version: string): void {
  const current = (JSON.parse(read('package.json')) as { version: string }).version;
  if (!isGreater(version, current))
    throw new Refusal(`${version} is not greater than the current version, ${current}.`);
  const dirty = git('status', '--porcelain');
  if (dirty !== '')
    throw new Refusal(`The working tree is not clean. Commit or remove these files first:\n${dirty}`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Refusal(`The tag v${version} already exists.`);
}

/** Writes the version to every file that contains it. */
function writeVersion(version: string, today: string): void {
  const changelog = read('CHANGELOG.md');
  write('CHANGELOG.md', changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${today})\n`));
  for (const file of ['package.json', 'package-lock.json']) {
    const content = JSON.parse(read(file)) as { version: string; packages?: { '': { version: string } } };
    content.version = version;
    if (content.packages !== undefined) content.packages[''].version = version;
    write(file, `${JSON.stringify(content, null, 2)}\n`);
  }
  write(chart, read(chart).replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  const launcher = join(root, 'bin', 'linkfold');
  execFileSync(launcher, ['openapi', '--out', join(root, 'openapi.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function release(version: string, notes: string): void {
  try {
    writeVersion(version, new Date().toISOString().slice(0, 10));
    git('commit', '--quiet', '--message', `Release ${version}`, '--', ...changed);
  } catch (error) {
    git('checkout', 'HEAD', '--', ...changed);
    throw error;
  }
  // Lines in the notes may start with #. By default, git would remove them as comments.
  git(
    'tag',
    '--annotate',
    '--cleanup=whitespace',
    '--message',
    `Linkfold ${version}\n\n${notes}`,
    `v${version}`,
  );
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, notes: { type: 'string' } },
  });
  const [version = ''] = positionals;
  requireReleasable(version);
  const notes = unreleased(read('CHANGELOG.md'));
  if (!values['dry-run']) release(version, notes);
  if (values.notes === undefined) console.log(notes);
  else writeFileSync(values.notes, `${notes}\n`);
  const files = changed.join(', ');
  console.error(
    values['dry-run']
      ? `\nWould set ${version} in ${files}, commit them and create the tag v${version}. Nothing was changed.`
      : `\nReleased ${version} locally: one commit (${files}) and the tag v${version}. To publish: git push --follow-tags, then npm publish.`,
  );
}

try {
  main();
} catch (error) {
  const { message, stderr = '' } = error as Error & { stderr?: string };
  console.error(error instanceof Refusal ? message : `${message}\n${stderr}`.trim());
  process.exitCode = 1;
}
