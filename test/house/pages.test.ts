// Runs the commands on each documentation page in one shell, from top to bottom, with a new server. A text block after
// commands is their expected output. A block that starts with a path in a comment becomes that file.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Block, blocksOf, paste } from '../support/documents.ts';
import { environmentOf, executable, startServer, temporaryFolder } from '../support/server/server.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Number of code blocks on each page that are marked as not executed. */
const pages: Readonly<Record<string, number>> = {
  'README.md': 1,
  'docs/install.md': 9,
  'docs/client.md': 2,
  'docs/links-as-code.md': 0,
  'docs/coming-from.md': 1,
};

/** Replaces values that differ between runs. */
function withoutChance(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (time.startsWith('2030') ? time : 'TIME'))
    .replace(/^schema +\d+$/gm, 'schema    N')
    .replace(/\b[0-9a-f]{64}\b/g, 'SHA-256')
    .replace(/lfk_\w+/g, 'KEY')
    .replace(/^size .*$/m, 'size')
    .trim();
}

/** Returns the path in the first line of a block, or undefined if the block is not a file. */
function fileOf({ text }: Block): string | undefined {
  return /^(?:#|\/\/) (\S+\.\w+)\n/.exec(text)?.[1];
}

function scriptOf(block: Block): string {
  const path = fileOf(block);
  if (path === undefined) return block.text;
  return `mkdir -p "$(dirname ${path})" && cat > ${path} <<'END OF FILE'\n${block.text}END OF FILE`;
}

describe('pages', () => {
  for (const [page, notRun] of Object.entries(pages)) {
    test(`${page} runs from top to bottom with the shown output`, async () => {
      const all = blocksOf(read(page));
      assert.equal(all.filter((block) => block.notRun !== undefined).length, notRun);
      const blocks = all.filter((block) => block.notRun === undefined);
      const steps = blocks.filter((block) => block.language === 'sh' || fileOf(block) !== undefined);
      const server = await startServer();
      try {
        const key = readFileSync(join(server.dataDir, 'first-key.txt'), 'utf8').trim();
        const cwd = temporaryFolder('page');
        mkdirSync(join(cwd, 'bin'));
        for (const path of ['bin/linkfold', 'linkfold']) symlinkSync(executable, join(cwd, path));
        const { results, errors } = await paste(
          steps.map((block) =>
            scriptOf(block).replace('lfk_...', key).replaceAll('127.0.0.1:3000', `127.0.0.1:${server.port}`),
          ),
          {
            env: {
              ...(await environmentOf(server.dataDir)),
              LINKFOLD_URL: server.url,
              LINKFOLD_API_KEY: key,
            },
            cwd,
            // For these commands, exit code 2 means that there are changes.
            prelude: 'linkfold() { bin/linkfold "$@" || [[ " plan2 drift2 " == *" $1$? "* ]]; }',
          },
        );
        for (const [at, block] of steps.entries()) {
          const { printed, hasFailed } = results[at] ?? assert.fail(errors);
          assert.ok(!hasFailed, `${block.text}\n${printed}\n${errors}`);
          const shown = blocks[blocks.indexOf(block) + 1];
          if (shown?.language === 'text' || shown?.language === 'json')
            assert.equal(
              withoutChance(printed.replaceAll(`127.0.0.1:${server.port}`, '127.0.0.1:3000')),
              withoutChance(shown.text),
              block.text,
            );
        }
        await runTypeScript(blocks, { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key });
      } finally {
        await server.stop();
      }
    });
  }
});

/**
 * Compiles and runs the TypeScript on a page as one program. Its output must match the comments after `console.log`.
 */
async function runTypeScript(blocks: readonly Block[], env: Record<string, string>): Promise<void> {
  const program = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text);
  if (program.length === 0) return;
  const folder = temporaryFolder('docs');
  const compilerOptions = { typeRoots: [join(root, 'node_modules', '@types')] };
  const tsconfig = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const source = join(root, 'src', 'client', 'client.ts');
  writeFileSync(join(folder, 'a.mts'), program.join('\n').replaceAll(`'linkfold/client'`, `'${source}'`));
  const compiled = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder], { encoding: 'utf8' });
  assert.equal(compiled.stdout, '');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'a.mts')], { env });
  assert.equal(stderr, '');
  const expected = [...program.join('\n').matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(
    ([, words = '']) => words,
  );
  const printed = stdout
    .replaceAll(env['LINKFOLD_URL'] ?? '', 'http://127.0.0.1:3000')
    .trimEnd()
    .split('\n');
  assert.equal(printed.length, expected.length, stdout);
  for (const [at, words] of expected.entries())
    assert.ok(printed[at]?.startsWith(words), `${printed[at]}: ${words}`);
}
