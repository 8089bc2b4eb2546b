import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Answer, ask } from '../../support/http/ask.ts';
import { type DocumentedRequest, documentedRequest } from '../../support/http/documented-requests.ts';
import { createJudge, type Judge } from '../../support/http/openapi-judge.ts';
import { atMost } from '../../support/http/wire.ts';
import { createRandom, effort, withSeed } from '../../support/random/random.ts';
import { call } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

const { count, seed } = effort(600);
const connections = 24;
/** Number of requests sent to one account. A new account keeps lists and exports short. */
const toOneAccount = 1_500;
/** Maximum number of IDs to remember. The oldest IDs are dropped. */
const maxKnown = 60;

interface Detail {
  readonly field: string;
  readonly reason: string;
}

/**
 * Errors for requests that the OpenAPI document allows. Each is matched as `field reason`. `why` explains why no schema
 * can express the rule.
 */
const refusedAllTheSame: readonly (readonly [RegExp, why: string])[] = [
  [
    /^(customCode|prefix) (invalid_characters|too_short|too_long)$/,
    'the operator chooses the characters of codes',
  ],
  [/^(prefix|length|ifExists) not_allowed$/, 'not beside `customCode`, or not beside `password`'],
  [/(At|after|After|Before|from|to|since|\.at) invalid_format$/, 'no calendar has 30 February'],
  [/ in_the_past$/, 'the clock decides'],
  [
    /^(from|to|startsAt|interval|compare|rules\[.*) out_of_range$/,
    'an end is behind its beginning, and a range is not too long',
  ],
  [/(timezone|zone) unknown_value$/, 'the names of time zones change with the years'],
  [
    /(url|expiredUrl|contact|image) (invalid_format|too_short|too_long|not_allowed)$/i,
    'a parser reads the host, spaces at both ends are removed, and the operator limits the length',
  ],
  [/^host invalid_format$/, 'Unicode says which characters a host may have'],
  [/^email invalid_format$/, 'an address of mail is taken as a whole, once its ends are trimmed'],
  [/^customCode immutable$/, 'a link that is there keeps its code'],
  [/^logo /, 'the bytes of a picture are looked at'],
  [/^(name|tags) (too_short|invalid_characters)$/, 'Unicode says which characters can be seen'],
  [/^(color|background) low_contrast$/, 'one colour is told from the other'],
  [/^(filter|compare|destinationHost) invalid_format$/, 'a text with a grammar of its own, which api.md has'],
  [/^(search|tag) too_long$/, 'words and tags in the text are counted'],
  [/^cursor (invalid_format|not_allowed)$/, 'a cursor is opaque'],
  [
    /^(code|tagMatch|page|linkId|folderId|tagId|status|sort|order|search|tag|archived|created.*|destination|destinationHost|managedBy|externalId|filter) not_allowed$/,
    'of some parameters there may be one, and some are for others',
  ],
  [
    /^(links|ids|filter|tags|expectedCount) (missing|not_allowed)$/,
    'which of `links`, `ids` and `filter` there are decides on the others',
  ],
  [/^(scopes|role) not_allowed$/, 'who is bound to domains or folders may have some'],
  [/^into not_allowed$/, 'differs from the tag in the path'],
  [/^rules\[\d+\]\.when\[\d+\]/, 'values are words of the fact; a condition needs one of its bounds'],
  [/^visit\.\w+ unknown_value$/, 'words of statistics, in any case'],
  [/^visit\.path invalid_format$/, 'percent-encoding, as a browser would send it'],
];

describe('requests generated from the document', () => {
  let server: SharedServer;
  let judge: Judge;
  before(async () => {
    server = await sharedServer();
    judge = createJudge((await call(server, 'GET', '/api/v1/openapi.json')).json);
  });

  const complaintAbout = ({ operationId, request, isAllowed }: DocumentedRequest, answer: Answer) => {
    const { method, path } = request;
    const { status, text } = answer;
    const header = (name: string) => answer.headers[name]?.toString();
    const judged = { method, path, status, text, header, headerNames: Object.keys(answer.headers) };
    const complaint = judge.complaintAbout(judged);
    if (complaint !== undefined) return complaint;
    // A busy server returns 503, as documented.
    if (status === 500) return `${operationId} answers ${status}`;
    // Each row of a bulk request is accepted or rejected separately.
    const isRefused = operationId === 'bulkLinks' && JSON.parse(text).data?.failed > 0;
    if (status < 300)
      return isAllowed || isRefused ? undefined : `${operationId} takes what the document does not allow`;
    if (!isAllowed || method === 'HEAD' || (status !== 400 && status !== 422)) return undefined;
    const { code, details = [] } = JSON.parse(text).error;
    const told = (details as Detail[]).map(
      ({ field, reason }) => `${field.replace('filter.', '')} ${reason}`,
    );
    const unsaid = told.filter((one) => !refusedAllTheSame.some(([pattern]) => pattern.test(one)));
    if (told.length > 0 && unsaid.length === 0) return undefined;
    return `${operationId} refuses what the document allows: ${code} ${unsaid.join(', ')}`;
  };

  test(`${count} of them: every response is documented, and every valid request is accepted`, async (t) => {
    const complaints = new Map<string, { times: number; first: string }>();
    const seen = new Map<number, number>();
    await withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      for (let sent = 0; sent < count; sent += toOneAccount) {
        const { key } = await server.newKey();
        const known: string[] = [];
        const batch = Array.from({ length: Math.min(toOneAccount, count - sent) });
        await atMost(connections, batch, async () => {
          const made = documentedRequest(random, known);
          const answer = await ask(server, { ...made.request, key });
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          if (answer.status < 300) remember(known, answer);
          const complaint = complaintAbout(made, answer);
          if (complaint === undefined) return;
          const { times = 0, first } = complaints.get(complaint) ?? {};
          const shown = `${made.request.method} ${made.request.path} ${made.request.body} -> ${answer.status} ${answer.text}`;
          complaints.set(complaint, { times: times + 1, first: first ?? shown.slice(0, 900) });
        });
      }
      t.diagnostic(JSON.stringify(Object.fromEntries([...seen].sort(([a], [b]) => a - b))));
      const told = [...complaints].map(([what, { times, first }]) => `${times} times ${what}\n    ${first}`);
      assert.equal(told.length, 0, told.slice(0, 60).join('\n'));
    });
  });
});

/** Collects IDs and codes from a response. Leaves out key IDs, so that the current key is never revoked. */
function remember(known: string[], { text }: Answer): void {
  for (const [, id = ''] of text
    .slice(0, 4_000)
    .matchAll(/"(?:id|shortCode|externalId|code)":"([^"\\]{1,60})"/g)) {
    if (/^\w{8}$/.test(id)) continue;
    known.push(id);
    if (known.length > maxKnown) known.shift();
  }
}
