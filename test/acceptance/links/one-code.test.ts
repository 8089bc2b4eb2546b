import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, ask } from '../../support/http/ask.ts';
import { createRandom, seed } from '../../support/random/random.ts';
import { freshCode } from '../../support/server/records.ts';
import type { TestKey } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

const contenders = 1_000;
const maxTries = 30;

/** Returns the code with the case of some letters changed. */
function variant(code: string, random: () => number): string {
  return [...code].map((letter) => (random() < 0.5 ? letter.toUpperCase() : letter.toLowerCase())).join('');
}

describe('a code has one owner', () => {
  let server: SharedServer;
  let keys: TestKey[];
  before(async () => {
    server = await sharedServer();
    keys = await Promise.all([1, 2, 3, 4].map(() => server.newKey()));
  });

  const create = (index: number, customCode: string): Promise<Answer> =>
    ask(server, {
      method: 'POST',
      path: '/api/v1/shorten',
      headers: {
        authorization: `Bearer ${keys[index % keys.length]?.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: `https://example.com/${index}`, customCode }),
    });

  /** Creates a link. If a slow machine returns `OVERLOADED`, the client retries after `Retry-After`. */
  const contend = async (index: number, customCode: string): Promise<Answer> => {
    let answer = await create(index, customCode);
    for (let tries = 1; answer.status === 503 && tries < maxTries; tries += 1) {
      assert.equal(JSON.parse(answer.text).error.code, 'OVERLOADED');
      await pause(Number(answer.headers['retry-after']) * 1_000);
      answer = await create(index, customCode);
    }
    return answer;
  };

  for (const round of [1, 2, 3]) {
    test(`${contenders} concurrent requests for a code or a case variant: one gets it (${round})`, async () => {
      const { next: random } = createRandom(seed + round);
      const code = `Wanted-${freshCode()}-aBcDeFgH`;
      const spellings = Array.from({ length: contenders }, () => variant(code, random));
      const answers = await Promise.all(spellings.map((spelling, index) => contend(index, spelling)));
      const winners = answers.flatMap(({ status }, index) => (status === 201 ? [index] : []));
      assert.equal(winners.length, 1, `${winners.length} winners, seed ${seed}`);
      for (const [index, answer] of answers.entries()) {
        if (index === winners[0]) continue;
        assert.equal(answer.status, 409, answer.text);
        assert.equal(JSON.parse(answer.text).error.code, 'CUSTOM_CODE_TAKEN');
      }
      const [winner = 0] = winners;
      assert.equal(
        JSON.parse(answers[winner]?.text ?? '').data.shortCode,
        spellings[winner],
        'in the case it asked for',
      );
      for (const spelling of [code, code.toLowerCase(), code.toUpperCase()]) {
        const followed = await ask(server, { path: `/${spelling}` });
        assert.equal(followed.headers.location, `https://example.com/${winner}`);
      }
    });
  }

  test('leaves three links in all accounts together', async () => {
    let total = 0;
    for (const { key } of keys) {
      const listed = await ask(server, {
        path: '/api/v1/links',
        headers: { authorization: `Bearer ${key}` },
      });
      total += JSON.parse(listed.text).pagination.total;
    }
    assert.equal(total, 3);
  });
});
