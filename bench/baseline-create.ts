// What creating a link costs before anything is stored: Fastify that reads the body, checks its fields by the very
// schemas of the service, and answers like it.
// node bench/baseline-create.ts PORT CODES.json
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { parseFields } from '../src/contract/fields.ts';
import { linkEndpoints } from '../src/contract/links.ts';

const [port, codes = ''] = process.argv.slice(2);
const known = new Set<string>(JSON.parse(readFileSync(codes, 'utf8')) as string[]);

const fastify = Fastify();
fastify.get<{ Params: { code: string } }>('/:code', (request, reply) =>
  known.has(request.params.code) ? reply.redirect('https://example.com/') : reply.code(404).send(),
);
fastify.post<{ Body: Record<string, unknown> }>('/api/v1/shorten', (request, reply) => {
  const { values, problems } = parseFields(linkEndpoints.shorten.body, request.body);
  if (problems.length > 0 || !URL.canParse(values.url ?? '')) return reply.code(400).send({ success: false });
  const createdAt = new Date().toISOString();
  const link = { id: createdAt, shortCode: 'bare', shortUrl: 'http://127.0.0.1/bare', createdAt };
  return reply.code(201).send({ success: true, data: { ...link, destinationUrl: values.url } });
});
await fastify.listen({ port: Number(port), host: '127.0.0.1' });

process.once('SIGTERM', () => process.exit(0));
