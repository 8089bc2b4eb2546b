import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/files/temporary.ts';

const root = join(import.meta.dirname, '..', '..');

test('starts the built program in a checkout, and its sources as soon as one changes', async () => {
  const project = temporaryFolder('server-build');
  for (const part of ['bin', 'docs/errors.md', 'scripts', 'src', 'package.json', 'package-lock.json'])
    cpSync(join(root, part), join(project, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, '.dashboard.json'), '{}');
  const builder = join(project, 'scripts', 'build-server.ts');
  const build = () => execFileSync(process.execPath, [builder]);
  const started = () => execFileSync(join(project, 'bin', 'linkfold'), ['--version'], { encoding: 'utf8' });
  const version = started();
  // Several processes may start at the same time, and then all of them build.
  const buildBeside = () => promisify(execFile)(process.execPath, [builder]);
  await Promise.all([buildBeside(), buildBeside(), buildBeside()]);
  assert.equal(started(), version, 'the built program runs');
  assert.deepEqual(globSync('dist/**/*.part-*', { cwd: project }), []);
  assert.match(readFileSync(join(project, 'dist', 'licenses.txt'), 'utf8'), /^fastify \S+ \(MIT\)$/m);

  // A server from the previous version may still load its old chunks for a day, so the build deletes only older ones.
  const [lately = '', long = ''] = ['lately.js', 'long-ago.js'].map((name) =>
    join(project, 'dist', 'chunks', name),
  );
  for (const path of [lately, long]) writeFileSync(path, '');
  utimesSync(long, 0, 0);
  utimesSync(join(project, 'package-lock.json'), new Date(), new Date());
  build();
  assert.deepEqual([existsSync(lately), existsSync(long)], [true, false]);

  // From now on, the built program contains a marker, so that a new build is noticed.
  const main = join(project, 'dist', 'main.js');
  const mark = () => {
    writeFileSync(main, "console.log('built');");
    // A time slightly in the past. A change within the same clock tick would not count as newer.
    const madeAt = Date.now() / 1_000 - 0.05;
    utimesSync(main, madeAt, madeAt);
  };
  mark();
  assert.equal(started(), 'built\n');
  build();
  assert.equal(started(), 'built\n', 'nothing changed, nothing was built');

  const source = join(project, 'src', 'config.ts');
  const text = readFileSync(source, 'utf8');
  writeFileSync(source, text);
  utimesSync(source, 0, 0);
  assert.equal(started(), version, 'a restored file has an old time');
  build();
  mark();
  assert.equal(started(), 'built\n');

  const added = join(project, 'src', 'model', 'added.ts');
  writeFileSync(added, '');
  build();
  mark();
  rmSync(added);
  assert.equal(existsSync(added), false);
  assert.equal(started(), version, 'a file is gone');
});
