// Linkfold is not in a public registry. Somebody could register its name there and run code with our users' keys, so no
// document may say to install it from there.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const checkout = join(import.meta.dirname, '..', '..');
const fromRegistry =
  /\b(?:npm (?:install|i|add|exec)|npx|pnpm (?:add|dlx)|yarn (?:add|dlx)|bunx)\b[^\n`;&|]*\s["']?linkfold(?:-client)?(?![\w./-])/;

test('no document says to install Linkfold from a public registry', () => {
  for (const line of ['npm install -g linkfold', 'npx --yes linkfold@1 me', '`npm i linkfold-client`'])
    assert.match(line, fromRegistry);
  for (const line of ['npm install ./linkfold-0.1.0.tgz', 'npm install /tmp/linkfold-client-*.tgz'])
    assert.doesNotMatch(line, fromRegistry);
  const files = globSync(['*.md', '{docs,deploy,extension,src,dashboard,man}/**/*.{md,yaml,yml,ts,tsx,1}'], {
    cwd: checkout,
  });
  assert.ok(files.length > 100);
  const found = files
    .filter((file) => !file.startsWith('docs/decisions'))
    .flatMap((file) =>
      readFileSync(join(checkout, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (fromRegistry.test(line) ? `${file}:${at + 1}: ${line.trim()}` : [])),
    );
  assert.deepEqual(found, []);
});
