// A Fastify service without features, to measure the cost of Fastify itself. One route redirects from a Map. The other
// validates its body with a schema and stores the link in one SQLite table.
// Usage: node bench/parts/bare-fastify.ts PORT FOLDER ROWS
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';

const [port, dir = '', rows] = process.argv.slice(2);
const codes = JSON.parse(readFileSync(join(dir, 'codes.json'), 'utf8')) as string[];
const targets = new Map(codes.map((code) => [code, `https://example.com/spring/${code}`]));

const database = new DatabaseSync(join(dir, 'links.db'));
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS links (link_row INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, destination TEXT NOT NULL) STRICT;
  BEGIN`);
const insert = database.prepare('INSERT INTO links (code, destination) VALUES (?, ?)');
const add = (destination: string): string => {
  const code = randomBytes(9).toString('base64url');
  insert.run(code, destination);
  return code;
};
for (let row = 0; row < Number(rows); row += 1) add(`https://example.com/spring/${row}`);
database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = FULL');

let waiting: { readonly destination: string; readonly stored: (code: string) => void }[] = [];

/** Stores the links of one tick of the event loop in one transaction. */
function commit(): void {
  const all = waiting;
  waiting = [];
  database.exec('BEGIN IMMEDIATE');
  const added = all.map(({ destination }) => add(destination));
  database.exec('COMMIT');
  for (const [at, { stored }] of all.entries()) stored(added[at] ?? '');
}

function store(destination: string): Promise<string> {
  return new Promise((stored) => {
    waiting.push({ destination, stored });
    if (waiting.length === 1) setImmediate(commit);
  });
}

const fastify = Fastify();
fastify.get<{ Params: { code: string } }>('/:code', (request, reply) => {
  const location = targets.get(request.params.code);
  return location === undefined ? reply.code(404).send() : reply.redirect(location);
});
const properties = {
  url: { type: 'string', format: 'uri', maxLength: 2_048 },
  customCode: { type: 'string', minLength: 3, maxLength: 50 },
  title: { type: 'string', maxLength: 255 },
};
fastify.post<{ Body: { url: string } }>(
  '/api/v1/shorten',
  { schema: { body: { type: 'object', required: ['url'], properties } } },
  async ({ body: { url } }, reply) => {
    const shortCode = await store(url);
    const createdAt = new Date().toISOString();
    const link = { id: createdAt, shortCode, shortUrl: `http://127.0.0.1/${shortCode}`, createdAt };
    return reply.code(201).send({ success: true, data: { ...link, destinationUrl: url } });
  },
);
await fastify.listen({ port: Number(port), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
