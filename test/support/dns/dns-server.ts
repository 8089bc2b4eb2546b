import { createSocket, type RemoteInfo } from 'node:dgram';
import type { AddressInfo } from 'node:net';

const types = { A: 1, NS: 2, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28 } as const;
type RecordType = keyof typeof types;
const absent = 3;

/** Responses of the DNS server by name: either records by type, or an error. */
export type Zone = Record<string, Partial<Record<RecordType, readonly string[]>>>;

export interface DnsServer {
  /** Address in the format of `DNS_SERVERS`. */
  readonly address: string;
  readonly port: number;
  /** Records that the server returns. A test may change them. Names are in lower case. */
  zone: Zone;
  /**
   * With `refused` and `fault`, the server returns that error for every query. With `silent`, it does not respond, and
   * with `lame`, it responds that it does not know the zone.
   */
  mode: 'well' | 'refused' | 'fault' | 'silent' | 'lame';
  /** All queries received, such as `TXT _linkfold.go.example.com`. */
  readonly asked: string[];
  /** Delay of each response in ms. */
  delayMs: number;
  close(): Promise<void>;
}

/**
 * Starts a DNS server on a loopback address, over UDP. It supports only the parts of the protocol that a resolver
 * needs.
 */
export async function startDns(zone: Zone = {}): Promise<DnsServer> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  const server: DnsServer = {
    address: `127.0.0.1:${port}`,
    port,
    zone,
    mode: 'well',
    asked: [],
    delayMs: 0,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (question: Buffer, from: RemoteInfo) => {
    const { name, type, end } = readQuestion(question);
    server.asked.push(`${type ?? '?'} ${name}`);
    if (server.mode === 'silent') return;
    const answer = answerTo(question.subarray(0, end), server, name, type);
    setTimeout(() => socket.send(answer, from.port, from.address, () => {}), server.delayMs).unref();
  });
  return server;
}

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length !== 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = message.readUInt16BE(at + 1);
  const type = (Object.keys(types) as RecordType[]).find((name) => types[name] === number);
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

function answerTo(question: Buffer, { zone, mode }: DnsServer, name: string, type: RecordType | undefined) {
  const records = mode === 'well' && type !== undefined ? recordsAt(zone, name, type) : [];
  const isAbsent = zone[name] === undefined;
  const codes = { well: isAbsent ? absent : 0, refused: 5, fault: 2, silent: 0, lame: 0 };
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | codes[mode], 2);
  head.writeUInt16BE(records.length, 6);
  head.fill(0, 8, 12);
  return Buffer.concat([head, ...records]);
}

/** Returns the records for a name. A CNAME matches every type, and its target's records are included. */
function recordsAt(zone: Zone, name: string, type: RecordType): Buffer[] {
  const here = zone[name];
  const target = here?.CNAME?.[0];
  const found = target === undefined ? type : 'CNAME';
  const own = (here?.[found] ?? []).map((value) => recordOf(name, found, value));
  if (target === undefined || type === 'CNAME') return own;
  return [...own, ...recordsAt(zone, target.toLowerCase(), type)];
}

function recordOf(name: string, type: RecordType, value: string): Buffer {
  const data = dataOf(type, value);
  const head = Buffer.from([0, types[type], 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameOf(name), head, data]);
}

function dataOf(type: RecordType, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'AAAA') return Buffer.from(value.replaceAll(':', ''), 'hex');
  if (type === 'TXT') return Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')]);
  if (type === 'SOA') return Buffer.concat([nameOf(value), nameOf(value), Buffer.alloc(20)]);
  return nameOf(value);
}

function nameOf(text: string): Buffer {
  const labels = text
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
