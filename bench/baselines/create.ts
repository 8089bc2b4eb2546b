// Cost of creating a link before it is stored: Fastify parses the body, validates it with the service's own schemas,
// and sends the same response. With a database, also the minimal cost of storing it.
// node bench/baselines/create.ts PORT CODES.json [DATABASE ROWS]
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { parseFields } from '../../src/contract/fields.ts';
import { linkEndpoints } from '../../src/contract/links/links.ts';
import { openBareTable } from './bare-table.ts';

const [port, codes = '', database, rows] = process.argv.slice(2);
const known = new Set<string>(JSON.parse(readFileSync(codes, 'utf8')) as string[]);
const store = database === undefined ? undefined : openBareTable(database, Number(rows));

const fastify = Fastify();
fastify.get<{ Params: { code: string } }>('/:code', (request, reply) =>
  known.has(request.params.code) ? reply.redirect('https://example.com/') : reply.code(404).send(),
);
fastify.post<{ Body: Record<string, unknown> }>('/api/v1/shorten', (request, reply) => {
  const { values, problems } = parseFields(linkEndpoints.shorten.body, request.body);
  const { url = '' } = values;
  if (problems.length > 0 || !URL.canParse(url)) return reply.code(400).send({ success: false });
  const createdAt = new Date().toISOString();
  const answer = (shortCode: string) => {
    const link = { id: createdAt, shortCode, shortUrl: `http://127.0.0.1/${shortCode}`, createdAt };
    return reply.code(201).send({ success: true, data: { ...link, destinationUrl: url } });
  };
  return store === undefined ? answer('bare') : store(url).then(answer);
});
await fastify.listen({ port: Number(port), host: '127.0.0.1' });

process.once('SIGTERM', () => process.exit(0));
