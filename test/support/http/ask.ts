import { type Agent, request as httpRequest } from 'node:http';

export interface Asked {
  readonly method: string;
  readonly path: string;
  /** An API key. */
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * One request, resolved when its whole answer is here; rejects when it broke off. Not `fetch`, which adds a user agent of
 * its own, repeats requests when it sees fit and costs several times as much.
 */
export function ask(
  { port, agent }: { readonly port: number; readonly agent: Agent },
  { method, path, token, body, headers }: Asked,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const outgoing = httpRequest({ port, agent, method, path, headers: sent }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
      );
    });
    outgoing.on('error', (error) => reject(Object.assign(error, { reused: outgoing.reusedSocket })));
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
