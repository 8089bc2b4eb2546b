import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A user at the provider. */
export interface User {
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

export const clientId = 'linkfold';
export const clientSecret = 'a secret & with %20 = signs';

/** A real OpenID Connect provider on this machine with configurable faults. */
export interface TestProvider {
  readonly issuer: string;
  /** Users by subject. */
  readonly users: Map<string, User>;
  /** Changes the claims in ID tokens. The tokens are signed with the provider's key unless `kid` is given. */
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined;
  /** Behavior of the provider: works normally, returns 503, or does not respond. */
  state: 'up' | 'failing' | 'down';
  /** True if ID tokens are signed with another key. */
  isForged: boolean;
  /** Adds a redirect URI that the provider accepts for the client. */
  serve(returnTo: string): Promise<void>;
  close(): Promise<void>;
}

const algorithm = 'RS256';

function newKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/**
 * Starts a provider. It listens immediately, so that its issuer URL is known, but responds only once its client is
 * registered.
 */
export async function openProvider(): Promise<TestProvider> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const { privateKey } = newKey();
  const other = newKey().privateKey;
  const server = createServer((request, response) => {
    if (provider.state === 'down') request.socket.destroy();
    else if (provider.state === 'failing') response.writeHead(503).end('Upstream is away');
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signed = (header: string, claims: object): string => {
    const text = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const key = provider.isForged ? other : privateKey;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  };
  const provider: TestProvider = {
    issuer,
    users: new Map(),
    tamper: undefined,
    state: 'up',
    isForged: false,
    async serve(returnTo) {
      answer = await listenerOf(provider, returnTo, privateKey.export({ format: 'jwk' }), signed);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

async function listenerOf(
  own: TestProvider,
  returnTo: string,
  key: object,
  signed: (header: string, claims: object) => string,
): Promise<RequestListener> {
  // `oidc-provider` has no types.
  const { default: Provider } = await import('oidc-provider' as string);
  const provider = new Provider(own.issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [returnTo],
        post_logout_redirect_uris: [returnTo.replace(/\/oidc$/, '')],
      },
    ],
    jwks: { keys: [{ ...key, kid: 'first', use: 'sig', alg: algorithm }] },
    cookies: { keys: ['of a test'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    ttl: { Session: 60, Grant: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    findAccount: (_: unknown, id: string) =>
      own.users.has(id) ? { accountId: id, claims: () => ({ sub: id, ...own.users.get(id) }) } : undefined,
    // biome-ignore lint/suspicious/noExplicitAny: the package has no types
    async loadExistingGrant({ oidc }: any) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  });
  // biome-ignore lint/suspicious/noExplicitAny: the package has no types
  provider.use(async (ctx: any, next: () => Promise<void>) => {
    if (ctx.path.startsWith('/sign-in/')) {
      if (ctx.method === 'GET') {
        ctx.type = 'html';
        ctx.body =
          '<!doctype html><html lang="en"><title>Provider</title><form method="post"><label>Who are you? <input name="sub"></label><button>Sign in</button></form>';
        return;
      }
      let text = '';
      for await (const chunk of ctx.req) text += chunk;
      ctx.respond = false;
      const accountId = new URLSearchParams(text).get('sub');
      await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId } });
      return;
    }
    await next();
    if (ctx.path !== '/token' || ctx.body?.id_token === undefined) return;
    if (own.tamper === undefined && !own.isForged) return;
    const [header = '', claims = ''] = ctx.body.id_token.split('.');
    const payload = JSON.parse(Buffer.from(claims, 'base64url').toString());
    ctx.body.id_token = signed(header, own.tamper?.(payload) ?? payload);
  });
  return provider.callback();
}

/**
 * Signs in at the provider, as a browser would.
 * @returns the URL to which the provider redirects
 */
export async function signInThere(from: string, sub: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = from;
  let form: string | undefined;
  for (let hops = 0; hops < 10; hops += 1) {
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams({ sub: form }) }),
    });
    form = undefined;
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) {
      if (answer.status !== 200)
        throw new Error(`The provider returned ${answer.status}: ${await answer.text()}`);
      form = sub;
      continue;
    }
    const next = new URL(location, at);
    if (next.origin !== new URL(from).origin) return next;
    at = next.href;
  }
  throw new Error('The provider redirects in a loop');
}
