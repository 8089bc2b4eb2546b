import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Two programs that use the installed client package with a server's URL and a key. If they succeed, they print "ok".

/** Programs to run after {@link writeClientPrograms}. */
export const clientPrograms = ['plain.mjs', 'program.js'] as const;

/**
 * Writes the programs, and compiles the TypeScript program in strict mode without other type packages.
 * @param project folder in which the package is installed
 * @param name the module's name
 */
export function writeClientPrograms(project: string, name: string): void {
  writeFileSync(join(project, 'plain.mjs'), plain(name));
  writeFileSync(join(project, 'program.ts'), typed(name));
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    types: [],
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const compiler = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'tsc');
  assert.equal(spawnSync(compiler, ['-p', project], { encoding: 'utf8' }).stdout, '');
}

const plain = (name: string): string => `
import { createClient, ApiError, LinkfoldError, Unreachable } from '${name}';
import assert from 'node:assert/strict';

const [, , baseUrl, apiKey] = process.argv;
const linkfold = createClient({ baseUrl, apiKey });
const made = await linkfold.shorten({ url: 'https://example.com/plain', customCode: 'plain' });
const followed = await fetch(made.shortUrl, { redirect: 'manual' });
assert.equal(followed.headers.get('location'), 'https://example.com/plain');
const answers = [];
const onAnswer = ({ status, headers }) => answers.push([status, headers.get('idempotency-replayed')]);
for (let time = 0; time < 2; time += 1) {
  await linkfold.shorten({ url: 'https://example.com/second' }, { idempotencyKey: 'second', onAnswer });
  await linkfold.upsertLink('plain', { url: 'https://example.com/' + time }, { onAnswer });
}
assert.deepEqual(answers, [[201, null], [201, null], [201, 'true'], [200, null]]);
const codes = [];
for await (const link of linkfold.allLinks({ limit: 1 })) codes.push(link.shortCode);
assert.equal(codes.length, 3);
await assert.rejects(linkfold.shorten({ url: 'nonsense' }), (error) =>
  error instanceof ApiError && error instanceof LinkfoldError && error.status === 400 && error.code === 'INVALID_URL');
const unreachable = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey, retries: 0 });
await assert.rejects(unreachable.me(), Unreachable);
console.log('ok');
`;

const typed = (name: string): string => `
import { type Answer, ApiError, type Client, createClient, includable, LinkfoldError, type ListedLink, type ShortenInput } from '${name}';

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl = '', apiKey = ''] = process.argv;
const linkfold: Client = createClient({ baseUrl, apiKey });
const input: ShortenInput = { url: 'https://example.com/typed', title: null };
const { id, shortUrl } = await linkfold.shorten(input, { idempotencyKey: 'typed' });
const text: string = shortUrl;
const answers: Answer[] = [];
await linkfold.getLink(id, {}, { onAnswer: (answer) => answers.push(answer) });
const left: string | null | undefined = answers[0]?.headers.get('x-request-id');
if (typeof left !== 'string') throw new Error('No header came.');
const found: ListedLink[] = [];
for await (const link of linkfold.allLinks({ include: includable })) found.push(link);
const status: 'active' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | undefined = found[0]?.status;
const plan: 'free' | 'starter' | 'pro' | 'enterprise' = (await linkfold.me()).plan;
const nothing: undefined = await linkfold.deleteLink(id);
try {
  // @ts-expect-error a link has no such field
  await linkfold.shorten({ url: text, colour: 'red', customCode: '!!!' });
} catch (error) {
  if (!(error instanceof LinkfoldError)) throw error;
  const maybe: number | undefined = error.status;
  if (error instanceof ApiError) {
    const sure: number = error.status;
    console.log(sure === 422 && maybe === sure && status === 'active' && plan === 'enterprise' && nothing === undefined ? 'ok' : error.code);
  }
}
// @ts-expect-error the id is missing
if (false as boolean) await linkfold.getLink();
`;
