// The cost of a Fastify service without any work: a redirect from a Map, and a route that validates its body with a
// schema, which Fastify compiles at startup. `no-schema` omits that route.
// node bench/baselines/fastify.ts PORT CODES.json [no-schema]
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

const [port, codes = '', leanness] = process.argv.slice(2);
const targets = new Map<string, string>();
for (const code of JSON.parse(readFileSync(codes, 'utf8')) as string[]) {
  targets.set(code, `https://example.com/spring/${code}`);
}

const fastify = Fastify();
fastify.get<{ Params: { code: string } }>('/:code', (request, reply) => {
  const location = targets.get(request.params.code);
  return location === undefined ? reply.code(404).send() : reply.redirect(location);
});
if (leanness !== 'no-schema') {
  fastify.post<{ Body: { url: string } }>(
    '/api/v1/shorten',
    {
      schema: {
        body: {
          type: 'object',
          required: ['url'],
          properties: {
            url: { type: 'string', format: 'uri', maxLength: 2048 },
            customCode: { type: 'string', minLength: 3, maxLength: 50 },
            title: { type: 'string', maxLength: 255 },
          },
        },
      },
    },
    (request, reply) => {
      const createdAt = new Date().toISOString();
      reply.code(201);
      const link = { id: createdAt, shortCode: 'bare', shortUrl: 'http://127.0.0.1/bare', createdAt };
      return { success: true, data: { ...link, destinationUrl: request.body.url } };
    },
  );
}
await fastify.listen({ port: Number(port), host: '127.0.0.1' });

process.once('SIGTERM', () => process.exit(0));
