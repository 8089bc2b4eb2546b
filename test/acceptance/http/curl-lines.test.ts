// Runs docs/api.md from top to bottom in one shell with a new server: the quick start, then every curl line.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { blocksOf, paste, type Result } from '../../support/documents.ts';
import { apiPrefix, type Endpoint, everyEndpoint } from '../../support/http/openapi.ts';
import {
  environmentOf,
  executable,
  type Server,
  startServer,
  temporaryFolder,
} from '../../support/server/server.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const blocks = blocksOf(readFileSync(join(docs, 'api.md'), 'utf8'), 'sh', 'text');
const scripts = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);

/** Makes `curl` fail on error responses, and reads streams for one second only. */
const prelude = `
curl() {
  local code=0 seconds=30 fail=--fail-with-body
  [[ " $* " == *" --no-buffer "* ]] && seconds=1
  [[ " $* " == *" --fail "* ]] && fail=--fail
  command curl --silent --show-error $fail --max-time "$seconds" "$@" || code=$?
  [ "$code$seconds" = 281 ] || return "$code"
}
`;

/** Requests that fail on a new server, and their error codes. */
const refused: ReadonlyMap<string, string> = new Map([
  // Creating and using a passkey needs an authenticator: passkeys.test.ts does this in a browser.
  ['POST /passkeys', 'PASSKEY_REFUSED'],
  // A passkey needs a BASE_URL with a host name, which this server does not have.
  ['POST /passkeys/options', 'PASSKEY_REFUSED'],
  ['POST /session/passkey-options', 'PASSKEY_REFUSED'],
  ['PATCH /passkeys/7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e62', 'PASSKEY_NOT_FOUND'],
  ['DELETE /passkeys/7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e62', 'PASSKEY_NOT_FOUND'],
  ['POST /session/passkey', 'PASSKEY_REFUSED'],
  // No OpenID Connect provider runs here: single-sign-on.test.ts starts one.
  ['POST /session/oidc-options', 'OIDC_REFUSED'],
  ['POST /session/oidc', 'OIDC_REFUSED'],
  ['POST /identities/options', 'OIDC_REFUSED'],
  ['POST /identities', 'OIDC_REFUSED'],
  // The script has only one session, so it cannot switch to another.
  ['POST /session/switch', 'SESSION_NOT_FOUND'],
]);

/** Returns the method and path of the request in a script, such as `GET /links/$LINK`. */
function callIn(script: string): string | undefined {
  const path = /^curl.*?\/api\/v1([^?"'\s]*)/m.exec(script)?.[1];
  return path && `${/-X ([A-Z]+)/.exec(script)?.[1] ?? 'GET'} ${path}`;
}

const calls = scripts.map(callIn);

describe('docs/api.md', () => {
  let server: Server;
  let results: readonly Result[];
  let errors: string;
  before(async () => {
    server = await startServer();
    const key = readFileSync(join(server.dataDir, 'first-key.txt'), 'utf8').trim();
    const cwd = temporaryFolder('curl');
    mkdirSync(join(cwd, 'bin'));
    symlinkSync(executable, join(cwd, 'bin', 'linkfold'));
    symlinkSync(docs, join(cwd, 'docs'));
    ({ results, errors } = await paste(
      scripts.map((script) => script.replace('http://127.0.0.1:3000', server.url).replace('lfk_...', key)),
      { env: await environmentOf(server.dataDir), cwd, prelude },
    ));
  });
  after(() => server.stop());

  test('has an example for every endpoint', () => {
    const isShown = ({ method, path }: Endpoint): boolean => {
      const shape = new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+')}$`);
      return calls.some((call) => call !== undefined && shape.test(call));
    };
    assert.deepEqual(
      everyEndpoint.filter((one) => !isShown(one)).map(({ name }) => name),
      [],
    );
  });

  for (const [at, script] of scripts.entries()) {
    const [first = ''] = script.split('\n');
    test(`${at + 1}: ${first.replace(`"$LINKFOLD_URL${apiPrefix}`, '"')}`, () => {
      const { printed, hasFailed } = results[at] ?? assert.fail(errors);
      const code = refused.get(calls[at] ?? '');
      if (code !== undefined) assert.equal(JSON.parse(printed).error.code, code);
      else assert.ok(!hasFailed && !printed.includes('"success":false'), `${printed}\n${errors}`);
      const shown = blocks[blocks.findIndex(({ text }) => text === script) + 1];
      if (calls[at] === undefined && shown?.language === 'text')
        assert.equal(printed, shown.text.replaceAll('http://127.0.0.1:3000', server.url));
    });
  }
});
