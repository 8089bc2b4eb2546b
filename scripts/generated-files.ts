import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Generates the files in src/ that are not in git, unless they are newer than their sources. `npm run` and bin/linkfold
// run this script, so it uses only production packages.

const root = join(import.meta.dirname, '..');
/** Files generated from the contract. The last file is also generated from docs/errors.md. */
const targets = [
  'src/client/endpoints.ts',
  'src/client/link-inputs.ts',
  'src/api/reference/files/errors.html',
];
/** Sources of the targets. bin/linkfold runs this script if any file in src/ or scripts/ is newer. */
const sources = [
  'src/{contract,model,qr,rules}/**',
  'src/client/groups.ts',
  'package.json',
  'docs/errors.md',
  'scripts/{generated-files,client-endpoints,documents/error-page}.ts',
];

/**
 * Returns true if a source is newer than a target. Uses the change times (ctime) of sources, because a restored file
 * may have an old modification time.
 */
function isStale(): boolean {
  const ages = targets.map((path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const oldest = Math.min(...ages);
  return globSync(sources, { cwd: root }).some((path) => statSync(join(root, path)).ctimeMs > oldest);
}

/** Replaces a file atomically, because two processes may generate files at the same time. */
function put(path: string, content: string): void {
  const part = join(root, `${path}.part-${process.pid}`);
  try {
    writeFileSync(part, content);
    renameSync(part, join(root, path));
  } finally {
    rmSync(part, { force: true });
  }
}

async function generate(): Promise<void> {
  const { clientEndpoints, clientLinkInputs } = await import('./client-endpoints.ts');
  const { errorPage } = await import('./documents/error-page.ts');
  const contents = [
    clientEndpoints(),
    clientLinkInputs(),
    errorPage(readFileSync(join(root, 'docs/errors.md'), 'utf8')),
  ];
  for (const [index, path] of targets.entries()) put(path, contents[index] ?? '');
}

if (isStale()) {
  try {
    await generate();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A user without write permission uses the files that the owner generated.
    const isReadOnly = ['EACCES', 'EPERM', 'EROFS'].includes(code);
    if (!isReadOnly || !targets.every((path) => existsSync(join(root, path)))) throw error;
  }
}
