// Every curl line of the documentation, pasted into an installation that has the records of its examples.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { apiPrefix, type Endpoint, everyEndpoint } from '../../support/http/openapi.ts';
import { signedInByOperator } from '../../support/server/people.ts';
import {
  type Api,
  deliveryOf,
  freshCode,
  makeFolder,
  makeInvitation,
  makeLink,
  makeMember,
  makeRecord,
  makeTag,
  recordOf,
} from '../../support/server/records.ts';
import { as, temporaryFolder } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

const password = 'open sesame';
const run = promisify(execFile);
const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'api.md'), 'utf8');
const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .map(([, inside = '']) => inside)
  .filter((inside) => /\bcurl /.test(inside));

/** A refusal is an error; a stream is read for a moment. */
const prelude = `
curl() {
  local code=0 fail=--fail-with-body
  [[ " $* " == *" --fail "* ]] && fail=
  command curl --silent --show-error $fail --max-time "$PATIENCE" "$@" || code=$?
  [ "$code" = 28 ] && [ "$PATIENCE" = 1 ] && return 0
  return "$code"
}
`;

/**
 * Only an authenticator makes and uses passkeys, and here is none: passkeys.test.ts does this in a browser. These lines
 * come as far as the passkey.
 */
const refused: ReadonlyMap<string, string> = new Map([
  ['POST /passkeys', 'PASSKEY_REFUSED'],
  ['PATCH /passkeys/7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e62', 'PASSKEY_NOT_FOUND'],
  ['DELETE /passkeys/7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e62', 'PASSKEY_NOT_FOUND'],
  ['POST /session/passkey', 'PASSKEY_REFUSED'],
  // Here is no provider: single-sign-on.test.ts has one.
  ['POST /session/oidc-options', 'OIDC_REFUSED'],
  ['POST /session/oidc', 'OIDC_REFUSED'],
  ['POST /identities/options', 'OIDC_REFUSED'],
  ['POST /identities', 'OIDC_REFUSED'],
  // Nobody waits with these codes.
  ['POST /devices/token', 'DEVICE_CODE_NOT_FOUND'],
  ['POST /devices/describe', 'DEVICE_CODE_NOT_FOUND'],
  ['POST /devices/answer', 'DEVICE_CODE_NOT_FOUND'],
  // A browser of these lines has one session alone.
  ['POST /session/switch', 'SESSION_NOT_FOUND'],
]);

/** The path in the example, from the prefix on, without its query. */
function pathIn(block: string): string {
  return /\/api\/v1([^?"'\s]*)/.exec(block)?.[1] ?? '';
}

function methodIn(block: string): string {
  return /-X ([A-Z]+)/.exec(block)?.[1] ?? 'GET';
}

function endpointOf(block: string): Endpoint | undefined {
  const method = methodIn(block);
  const path = pathIn(block);
  const fits = ({ path: shape }: Endpoint): boolean =>
    new RegExp(`^${shape.replace(/:\w+/g, '[^/]+')}$`).test(path);
  return everyEndpoint
    .filter((one) => one.method === method && fits(one))
    .sort((a, b) => b.path.length - a.path.length)
    .find(fits);
}

describe('the curl lines of docs/api.md', () => {
  let server: SharedServer;
  let api: Api;
  let key: string;
  /** Of a person: what people alone may call takes no key. */
  let session: string;
  /** Passkeys are bound to names: the lines about them go to the server by one. */
  let byName: string;
  /** Where links with a password lead. */
  const destination = createServer((_request, response) => void response.end('There.'));
  before(async () => {
    await new Promise<void>((resolve) => destination.listen(0, '127.0.0.1', resolve));
    server = await sharedServer();
    ({ key } = await server.newKey());
    api = as(server, key);
    const home = await server.newKey();
    const operator = await makeMember(as(server, home.key));
    await server.command('operators', 'add', operator.id);
    session = (await signedInByOperator(server, home.account, operator.id)).cookie;
    byName = server.url.replace('127.0.0.1', 'localhost');
  });
  after(() => destination.close());

  /** The block with the ids of records that are there in the place of those of the examples. */
  const withRecords = async (block: string): Promise<string> => {
    const endpoint = endpointOf(block);
    const kind = endpoint === undefined ? undefined : recordOf(endpoint);
    const at = endpoint?.path.split('/').findIndex((part) => part.startsWith(':')) ?? -1;
    const shown = at === -1 ? undefined : pathIn(block).split('/')[at];
    const made = kind === undefined ? undefined : await makeRecord(api, kind);
    const named = shown === undefined || made === undefined ? block : block.replace(`/${shown}`, `/${made}`);
    const locked = async (): Promise<string> => {
      const url = `http://127.0.0.1:${(destination.address() as AddressInfo).port}/`;
      const customCode = freshCode();
      await makeLink(api, { url, customCode, password });
      return `${server.url}/${customCode}`;
    };
    const share = async (): Promise<string> =>
      (await api.post(`/api/v1/links/${await makeLink(api)}/share`)).json.data.token;
    const signInLink = async (): Promise<string> => {
      const { id } = await makeMember(api);
      const { url } = (await api.post(`/api/v1/members/${id}/sign-in-link`)).json.data;
      return new URL(url).hash.slice(1);
    };
    let whole = named.replace(/"customCode":"[^"]+"/, `"customCode":"${freshCode()}"`);
    for (const [shown, real] of [
      [/(?<="folderId":")[^"]+/, () => makeFolder(api)],
      [/(?<="into":")[^"]+/, () => makeTag(api)],
      [/(?<="account":")acme/, async () => (await server.newKey()).account],
      [/(?<=\/)launch(?=\+)/, () => makeRecord(api, 'code')],
      [/(?<="token":")lfl_[^"]+/, signInLink],
      [/(?<="token":")lfi_[^"]+/, async () => (await makeInvitation(api)).token],
      // Who has no session yet tells by the page where they are.
      [/(?<=\/session\/passkey(?:-options)?")/, () => ` -H 'Origin: ${byName}'`],
      [/(?<=\/deliveries\/)[^/]+(?=\/resend)/, async () => deliveryOf(made ?? '')],
      [/(?<=\/shared\/)[^/]+(?=\/)/, share],
      [/https:\/\/go\.example\.com\/plans/, locked],
    ] as const)
      if (shown.test(whole)) whole = whole.replace(shown, await real());
    return whole;
  };

  test('every endpoint has one', () => {
    const shown = new Set(blocks.map((block) => endpointOf(block)?.name));
    assert.deepEqual(
      everyEndpoint.map(({ name }) => name).filter((name) => !shown.has(name)),
      [],
    );
  });

  for (const [at, block] of blocks.entries()) {
    const [first = ''] = block.split(' \\\n');
    test(`${at + 1}: ${first.replace(`"$LINKFOLD_URL${apiPrefix}`, '"')}`, async () => {
      const script = `${prelude}${await withRecords(block)}`;
      const env = {
        ...process.env,
        LINKFOLD_URL: /\/passkey/.test(pathIn(block)) ? byName : server.url,
        LINKFOLD_API_KEY: key,
        LINKFOLD_SESSION: session,
        PASSWORD: password,
        PATIENCE: block.includes('--no-buffer') ? '1' : '30',
      };
      const cwd = temporaryFolder('curl');
      const paste = run('bash', ['-euo', 'pipefail', '-c', script], { env, cwd });
      const refusal = refused.get(`${methodIn(block)} ${pathIn(block)}`);
      if (refusal !== undefined) {
        const { stdout } = await paste.then(
          () => assert.fail('It was not refused.'),
          (error) => error,
        );
        assert.equal(JSON.parse(stdout).error.code, refusal);
        return;
      }
      const { stdout } = await paste.catch((error) => assert.fail(`${error.message}\n${error.stdout}`));
      assert.ok(!stdout.includes('"success":false'), stdout);
    });
  }
});
