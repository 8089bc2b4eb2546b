import type { Api } from './records.ts';
import { makeMember } from './records.ts';
import { type Answer, call, type Service } from './server.ts';

export interface Person {
  readonly id: string;
  readonly cookie: string;
  /** Sends a request as the member's dashboard page does. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

/** Returns functions that send requests with a session cookie, as a dashboard page does. */
export function asBrowser(server: { readonly url: string }, cookie: string): Pick<Person, 'send' | 'get'> {
  const send = (method: string, path: string, body?: unknown) =>
    call(server, method, `/api/v1${path}`, {
      ...(body !== undefined && { body }),
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
  return { send, get: (path) => send('GET', path) };
}

/** Invites a member and accepts the invitation. */
export async function newMember(
  server: { readonly url: string },
  inviter: Api,
  role: string,
  name = `The ${role}`,
): Promise<Person> {
  const { id, cookie } = await makeMember(inviter, role, name);
  return { id, cookie, ...asBrowser(server, cookie) };
}

/** Adds a member to an account, and signs them in with a link that was created on the server. */
export async function signedInByOperator(
  server: Pick<Service, 'url' | 'command'>,
  account: string,
  id: string,
): Promise<Person> {
  const shown = await server.command('login', '--account', account, '--person', id);
  const key = /#(lfl_[\w-]{43})/.exec(shown)?.[1] ?? '';
  const begun = await call(server, 'POST', '/api/v1/session', { key });
  if (begun.status !== 201) throw new Error(`Could not sign in: ${begun.status} ${begun.text}`);
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { id, cookie, ...asBrowser(server, cookie) };
}
