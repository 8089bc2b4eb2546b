import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { good } from '../../../test/support/server/command-line.ts';
import { createProgram } from '../program.ts';
import { placesIn } from './completion.ts';

const folder = temporaryFolder('completion');

async function scriptFor(shell: string): Promise<string> {
  const path = join(folder, shell);
  writeFileSync(path, await good(['completion', shell]));
  return path;
}

/** Returns true if a shell is installed; otherwise skips the test with a message. */
function isThere(t: { skip(why: string): void }, shell: string): boolean {
  const found = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!found) t.skip(`NOT TESTED: there is no ${shell} on this machine`);
  return found;
}

test('bash completes every command, option and value, and file names where allowed', async (t) => {
  if (!isThere(t, 'bash')) return;
  const places = placesIn(await createProgram());
  const cases = places.flatMap(({ path, commands, options, choices }) => {
    const at = path === '' ? [] : path.split(' ');
    const words = [...commands.map(({ name }) => name), ...choices, ...options.flatMap(({ flags }) => flags)];
    const values = options.filter(({ takesValue }) => takesValue);
    return [
      { line: [...at, ''], wanted: words },
      ...values.map((option) => ({ line: [...at, option.flags[0] ?? '', ''], wanted: option.choices })),
    ];
  });
  assert.ok(cases.length > 200, `${cases.length}`);
  const more: { line: string[]; wanted: readonly string[] }[] = [
    { line: ['li'], wanted: ['links'] },
    { line: ['links', 'import', 'rows.csv', '--action', 'up'], wanted: ['update'] },
    { line: ['links', 'import', '--action', '=', 'up'], wanted: ['update'] },
    { line: ['links', 'import', '--action', '='], wanted: ['create', 'update', 'delete'] },
    // An option's value is not a command, and options may follow an argument.
    { line: ['links', 'list', '--folder', 'rm', '--deleted', '--ext'], wanted: ['--external-id'] },
    { line: ['links', 'delete', 'list', '--prof'], wanted: ['--profile'] },
    { line: ['completion', 'f'], wanted: ['fish'] },
  ];
  const asked = [...cases, ...more];
  const program = asked.map(({ line }) => {
    const words = ['linkfold', ...line].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${words}); COMP_CWORD=${line.length}; COMPREPLY=(); _linkfold; echo "\${COMPREPLY[*]}"`;
  });
  const path = join(folder, 'ask.bash');
  writeFileSync(path, `source ${await scriptFor('bash')}\n${program.join('\n')}\ncomplete -p linkfold\n`);
  const lines = execFileSync('bash', ['--norc', path], { encoding: 'utf8' }).trimEnd().split('\n');
  assert.equal(lines.pop(), 'complete -o default -F _linkfold linkfold');
  for (const [at, { line, wanted }] of asked.entries())
    assert.deepEqual(
      lines[at]
        ?.split(' ')
        .filter((word) => word !== '')
        .sort(),
      [...wanted].sort(),
      line.join(' '),
    );
});

test('zsh loads its completion', async (t) => {
  if (!isThere(t, 'zsh')) return;
  const script = await scriptFor('zsh');
  const tried = spawnSync(
    'zsh',
    ['-fc', `autoload -U compinit && compinit -D && source ${script} && print $_comps[linkfold]`],
    { encoding: 'utf8' },
  );
  assert.deepEqual([tried.status, tried.stdout], [0, '_linkfold\n'], tried.stderr);
});

test('fish completes commands, options and values', async (t) => {
  if (!isThere(t, 'fish')) return;
  const script = await scriptFor('fish');
  for (const [line, wanted] of [
    ['linkfold li', 'links'],
    ['linkfold links import --action up', 'update'],
    ['linkfold links import --act', '--action'],
  ] as const) {
    const { stdout } = spawnSync('fish', ['-Nc', `source ${script}; complete -C '${line}'`], {
      encoding: 'utf8',
    });
    assert.equal(stdout.split(/[\t\n]/)[0], wanted, line);
  }
});
