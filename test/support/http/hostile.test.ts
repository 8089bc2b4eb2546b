import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseFields } from '../../../src/contract/fields.ts';
import { linkEndpoints } from '../../../src/contract/links.ts';
import { customCodeProblem, foldCode, isReserved } from '../../../src/domain/codes.ts';
import { type DestinationRules, isProblem, readDestination } from '../../../src/domain/destinations.ts';
import { caseVariants, hostileBase, hostileBlockList, hostileCodes, hostileUrls } from './hostile.ts';

const rules: DestinationRules = {
  maxLength: 2_048,
  ownHosts: new Set([new URL(hostileBase).host]),
  blockedHosts: hostileBlockList,
  blockPrivate: false,
};

function show(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function outcomeOf(url: string, blockPrivate: boolean): { refused: string } | { location: string } {
  const read = readDestination(url, { ...rules, blockPrivate });
  return isProblem(read) ? { refused: read.code } : { location: read.location };
}

describe('hostile URLs and codes, by the rules alone', () => {
  test('there are more than 300 of each, all different', () => {
    const urls = new Set(hostileUrls.map(({ url }) => url));
    const codes = new Set(hostileCodes.map(({ code }) => code));
    assert.ok(urls.size > 300 && codes.size > 300, `${urls.size} URLs, ${codes.size} codes`);
  });

  for (const { url, why, outcome, privateBlocked } of hostileUrls) {
    test(`${why}: ${show(url)}`, () => {
      assert.deepEqual(outcomeOf(url, true), outcome);
      if (privateBlocked)
        assert.ok('location' in outcomeOf(url, false), 'allowed unless the operator blocks it');
      else assert.deepEqual(outcomeOf(url, false), outcome);
    });
  }

  for (const { code, why, refused } of hostileCodes) {
    test(`${why}: ${show(code)}`, () => {
      const { problems } = parseFields(
        { customCode: linkEndpoints.shorten.body.customCode },
        { customCode: code },
      );
      const reserved = isReserved(code) ? 'CUSTOM_CODE_RESERVED' : undefined;
      assert.equal(problems[0]?.code ?? customCodeProblem(code)?.code ?? reserved, refused);
    });
  }

  for (const [one, other] of caseVariants) {
    test(`one code: ${one} and ${other}`, () => {
      assert.notEqual(one, other);
      assert.equal(foldCode(one), foldCode(other));
    });
  }
});
