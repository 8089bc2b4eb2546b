// Lower bound of every redirect in Node: `node:http` that answers 302 from a Map and does nothing else.
// node bench/baselines/http.ts PORT CODES.json
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, codes = ''] = process.argv.slice(2);
const targets = new Map<string, string>();
for (const code of JSON.parse(readFileSync(codes, 'utf8')) as string[]) {
  targets.set(`/${code}`, `https://example.com/spring/${code}`);
}

createServer((request, response) => {
  const location = targets.get(request.url ?? '');
  if (location === undefined) response.writeHead(404, { 'Content-Length': 0 });
  else response.writeHead(302, { Location: location, 'Content-Length': 0 });
  response.end();
}).listen(Number(port), '127.0.0.1');

process.once('SIGTERM', () => process.exit(0));
