import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** An email as received by the server. */
export interface Received {
  readonly to: readonly string[];
  /** Header fields by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
  /** The whole message, exactly as received. */
  readonly raw: string;
}

export const mailUser = 'links@example.com';
export const mailPassword = 'a p@ss:word/of the server';

/** A real SMTP server on this machine with configurable faults. */
export interface MailServer {
  readonly port: number;
  readonly received: Received[];
  /** Behavior of the server: works normally, rejects recipients, or does not respond. */
  state: 'up' | 'refusing' | 'silent';
  close(): Promise<void>;
}

/** Returns the decoded part of an email that has the given content type. */
function partOf(raw: string, type: string): string {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(raw) ?? [];
  const part = raw.split(`--${boundary}`).find((one) => one.includes(`Content-Type: ${type}`)) ?? '';
  const at = part.indexOf('\r\n\r\n');
  const [head, body] = [part.slice(0, at), part.slice(at + 4)];
  if (/Encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/Encoding: quoted-printable/i.test(head)) return body.replaceAll('\r\n', '\n');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replaceAll('\r\n', '\n')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Decodes a header field (RFC 2047). */
function decoded(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : Buffer.from(
            text
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/gi, (__, hex: string) =>
                String.fromCharCode(Number.parseInt(hex, 16)),
              ),
            'latin1',
          ).toString(),
    );
}

function headersOf(raw: string): Map<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  return new Map(
    head.split('\r\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), decoded(line.slice(at + 1).trim())];
    }),
  );
}

/** @param options `secure` offers STARTTLS with an untrusted certificate */
export async function openMailServer(options: { readonly secure?: boolean } = {}): Promise<MailServer> {
  const pending = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: options.secure ? [] : ['STARTTLS'],
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === mailUser && password === mailPassword) done(null, { user: username });
      else done(new Error('Wrong password'));
    },
    onMailFrom(_address, session, done) {
      if (mail.state === 'silent') pending.add(() => done());
      else if (session.user === mailUser || session.user === undefined) done();
    },
    onRcptTo({ address }, _session, done) {
      if (mail.state === 'refusing')
        done(Object.assign(new Error(`No mailbox ${address} here`), { responseCode: 550 }));
      else done();
    },
    onData(stream, session, done) {
      let raw = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => (raw += chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const [text, html] = [partOf(raw, 'text/plain'), partOf(raw, 'text/html')];
        mail.received.push({ to, headers: headersOf(raw), text, html, raw });
        done();
      });
    },
  });
  // Clients that give up close the connection, which is not an error here.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mail: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    received: [],
    state: 'up',
    close: () =>
      new Promise((resolve) => {
        for (const release of pending) release();
        server.close(() => resolve());
      }),
  };
  return mail;
}
