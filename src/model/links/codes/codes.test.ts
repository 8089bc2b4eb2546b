import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/random/any-text.ts';
import { randomBytesFrom, runs, seed } from '../../../../test/support/random/random.ts';
import {
  type CodeRequest,
  type CodeRules,
  codeProblems,
  couldBeCode,
  customCodeProblem,
  foldCode,
  generateCode,
  isReserved,
  reservedCodes,
  segmentsIn,
  shortUrlOf,
} from './codes.ts';
import type { CodeCharacters } from './unicode-codes.ts';

const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const unicode = { codeCharacters: 'unicode', codeSegments: 1 } as const;
const segments = { codeCharacters: 'ascii', codeSegments: 3 } as const;

describe('codes', () => {
  test('generates codes of the requested length with only the 28 symbols', () => {
    const bytes = randomBytesFrom();
    for (let length = 1; length <= 16; length += 1) {
      for (let n = 0; n < 200; n += 1)
        assert.match(generateCode(length, bytes), new RegExp(`^[${alphabet}]{${length}}$`));
    }
    assert.equal(alphabet.length, 28);
    assert.doesNotMatch(alphabet, /[aeiou01lo]/);
  });

  test('uses every symbol equally often at every position', () => {
    const draws = 28_000;
    const bytes = randomBytesFrom();
    const seen = Array.from({ length: 8 }, () => new Map<string, number>());
    for (let n = 0; n < draws; n += 1) {
      [...generateCode(8, bytes)].forEach((symbol, place) => {
        const counts = seen[place] as Map<string, number>;
        counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
      });
    }
    const expected = draws / alphabet.length;
    for (const [place, counts] of seen.entries()) {
      const chiSquare = [...alphabet]
        .map((symbol) => ((counts.get(symbol) ?? 0) - expected) ** 2 / expected)
        .reduce((sum, term) => sum + term, 0);
      // With 27 degrees of freedom, chi-square exceeds 70 once in 100,000 runs. A modulo bias gives more than 200.
      assert.ok(chiSquare < 70, `place ${place}: chi-square ${chiSquare}, seed ${seed}`);
    }
  });

  test('rejects random bytes that would favor some symbols', () => {
    let call = 0;
    const bytes = (size: number): Uint8Array => new Uint8Array(size).fill(call++ === 0 ? 252 : 27);
    assert.equal(generateCode(4, bytes), 'zzzz');
    assert.equal(call, 2);
  });

  test('generates valid codes that equal their folded form and are not reserved', () => {
    const bytes = randomBytesFrom();
    for (let n = 0; n < 1_000; n += 1) {
      const code = generateCode(8, bytes);
      assert.ok(couldBeCode(code));
      assert.equal(customCodeProblem(code), undefined);
      assert.equal(foldCode(code), code);
    }
  });

  test('custom codes: accept letters, digits, "-" and "_" after a letter or digit; nothing else', () => {
    for (const code of ['a', 'Sale', '2027', 'a-b_c', 'A-', '0_', 'x'.repeat(50)]) {
      assert.equal(customCodeProblem(code), undefined, code);
    }
    for (const code of [
      '',
      '-a',
      '_a',
      'a b',
      'a.b',
      'a/b',
      'a+',
      'a%41',
      'é',
      'ｓale',
      'sаle',
      '😀😀😀',
      'ab\n',
      'K\u212a',
    ]) {
      assert.equal(customCodeProblem(code)?.code, 'INVALID_CUSTOM_CODE', JSON.stringify(code));
    }
  });

  test('accepts only ASCII letters and digits, "-" and "_" by default', () => {
    fc.assert(
      fc.property(anyText({ minLength: 1, maxLength: 50 }), (text) => {
        const plain = /^[0-9A-Za-z][0-9A-Za-z_-]*$/.test(text) && !/[^\x21-\x7e]/.test(text);
        assert.equal(customCodeProblem(text) === undefined, plain);
        if (!/[^\0-\x7f]/.test(text)) assert.equal(couldBeCode(text), plain);
      }),
      runs(5_000),
    );
  });

  test('folds codes that differ only in case to one, and no others', () => {
    const code = fc.stringMatching(/^[0-9A-Za-z][0-9A-Za-z_-]{2,49}$/);
    fc.assert(
      fc.property(code, code, (a, b) => {
        assert.equal(foldCode(a.toUpperCase()), foldCode(a.toLowerCase()));
        assert.equal(foldCode(a), foldCode(foldCode(a)));
        assert.equal(foldCode(a) === foldCode(b), a.toUpperCase() === b.toUpperCase());
      }),
      runs(2_000),
    );
  });

  test('reserves words in any case; each is a valid code in one case', () => {
    for (const word of reservedCodes) {
      assert.equal(word, foldCode(word));
      assert.ok(couldBeCode(word), word);
      assert.ok(isReserved(word.toUpperCase()), word);
      assert.ok(isReserved((word[0] ?? '').toUpperCase() + word.slice(1)), word);
      assert.equal(isReserved(`${word}1`) && !reservedCodes.has(`${word}1`), false, word);
    }
    for (const word of [
      'sign-in',
      'Sign_In',
      'log-in',
      'sign-up',
      'join',
      'wp-admin',
      'wp-login',
      'web-hooks',
      'reset_',
    ])
      assert.ok(isReserved(word), word);
    for (const word of ['joinery', 'sign-in-2', 'my-login', 'wp-2027']) assert.ok(!isReserved(word), word);
    for (const word of ['api', 'login', 'admin', 'healthz', 'readyz', 'docs'])
      assert.ok(isReserved(word), word);
  });

  test('rejects a segment longer than any code', () => {
    assert.ok(couldBeCode('x'.repeat(50)));
    assert.equal(couldBeCode('x'.repeat(51)), false);
    assert.equal(couldBeCode(''), false);
  });

  test('accepts letters and digits from every script, and emoji, if the operator allows them', () => {
    for (const code of [
      '☕',
      '☕️',
      'é',
      'Grüße-2027',
      'кофе',
      'ΚΑΦΈΣ',
      'コーヒー',
      '咖啡_1',
      'قهوة',
      'กาแฟ',
      'कॉफ़ी',
      'काफी२',
      '🏳️‍🌈',
      '👩🏽‍💻',
      '🇩🇪',
      'go-🚀',
      'ℹ️',
      '커피',
      'ｓａｌｅ',
      '☕'.repeat(50),
    ]) {
      assert.equal(customCodeProblem(code, 'customCode', unicode), undefined, code);
      assert.ok(couldBeCode(code), code);
      assert.equal(customCodeProblem(code)?.field, 'customCode', `${code} without the setting`);
      assert.equal(foldCode(foldCode(code)), foldCode(code), code);
    }
    const odd = ['-é', '_☕', 'é b', 'é.', '☕+', '€', '½', '…', '\u0301', '☕\u0301', '\ufe0f', '🇩', '🇩🇪🇫'];
    const unseen = [
      'é\u200b',
      'é\u200d',
      'نم\u200cی',
      'é\u202e',
      'é\u00ad',
      'é\ufeff',
      '\u3164',
      'é\u034f',
      '☕\u200d',
    ];
    for (const code of [
      ...odd,
      ...unseen,
      '\u{1f3f4}\u{e0067}\u{e007f}',
      'é\n',
      'é\0',
      'é\ud800',
      '☕%',
      '\u2800',
    ])
      assert.deepEqual(
        [customCodeProblem(code, 'customCode', unicode)?.code, couldBeCode(code)],
        ['INVALID_CUSTOM_CODE', false],
        JSON.stringify(code),
      );
    assert.ok(customCodeProblem('\u212ale', 'customCode', unicode), 'composed it is ASCII');
    const reasons = (code: CodeRequest, codeCharacters: CodeCharacters) =>
      codeProblems(code, { codeCharacters, codeSegments: 1 }).map(({ reason }) => reason);
    assert.deepEqual(reasons({ customCode: '☕'.repeat(51) }, 'unicode'), ['too_long']);
    assert.deepEqual(reasons({ customCode: 'éé' }, 'ascii'), ['too_short']);
    assert.deepEqual(reasons({ customCode: 'ééé' }, 'ascii'), ['invalid_characters']);
    assert.deepEqual(reasons({ prefix: 'é' }, 'unicode'), ['invalid_characters'], 'drawn codes are ASCII');
  });

  test('validates each segment of a code with slashes, separated by one slash', () => {
    const both = { ...unicode, codeSegments: 3 };
    for (const code of ['shop/sale', 'a/b', 'a/b/c', 'Shop/2027/x_-', `${'x'.repeat(48)}/x`, 'shop/login']) {
      for (const rules of [segments, both])
        assert.equal(customCodeProblem(code, 'customCode', rules), undefined, code);
      assert.match(
        customCodeProblem(code)?.message ?? '',
        /^customCode must contain only letters, digits/,
        code,
      );
      assert.ok(couldBeCode(code), code);
    }
    for (const code of ['☕/sale', 'кофе/sale', 'shop/☕️/é', '☕/☕']) {
      assert.equal(customCodeProblem(code, 'customCode', both), undefined, code);
      for (const rules of [segments, unicode]) assert.ok(customCodeProblem(code, 'customCode', rules), code);
      assert.ok(couldBeCode(code), code);
    }
    const odd = [
      ...['/', '//', '/a', 'a/', 'a//b', 'a/b/', '/a/b', 'a/-b', 'a/_', '-a/b', 'a/.', 'a/..', '../a', './a'],
      'a/b.c',
      'a\\b',
      'a/b?',
      'a/b#',
      'a/b+',
      'a/%2e',
      'a%2Fb',
      'a/\u0301',
      'a\uff0fb',
      'a\u2215b',
      'a\u2044b',
      ...['a/\0', 'a/ b', 'a/b\n', '℀/b', 'é//b', '/é', 'é/'],
    ];
    for (const code of odd)
      assert.deepEqual(
        [customCodeProblem(code, 'customCode', both)?.code, couldBeCode(code)],
        ['INVALID_CUSTOM_CODE', false],
        JSON.stringify(code),
      );
    assert.match(customCodeProblem('a/sаle', 'customCode', both)?.message ?? '', /look alike/);
    assert.match(
      customCodeProblem('a/b/c/d', 'customCode', segments)?.message ?? '',
      /4 segments.*maximum is 3/,
    );
    assert.match(customCodeProblem('a//b', 'customCode', segments)?.message ?? '', /up to 3 segments/);
    assert.ok(couldBeCode('a/b/c/d/e'));
    for (const code of ['a/b/c/d/e/f', `${'x'.repeat(49)}/x`, '/'.repeat(4_000)])
      assert.equal(couldBeCode(code), false, code.slice(0, 60));

    const reasons = (wish: CodeRequest, rules: CodeRules = segments) =>
      codeProblems(wish, rules).map(({ reason }) => reason);
    for (const prefix of ['shop/', 'shop/a-', 'a/b/', 'a/b/c'])
      assert.deepEqual([reasons({ prefix }), reasons({ prefix }, unicode).length], [[], 1], prefix);
    for (const prefix of ['/', 'a//', '/a', 'a/b/c/', '☕/', 'a/-'])
      assert.deepEqual(reasons({ prefix }, both), ['invalid_characters'], prefix);
  });

  test('reserves a word as the first segment too, and only there', () => {
    for (const code of ['api/x', 'Dashboard/links', 'ａｐｉ/é', 'login/a/b', 'api/'])
      assert.ok(isReserved(code), code);
    for (const code of ['x/api', 'apis/x', 'ap/i']) assert.ok(!isReserved(code), code);
  });

  test('keeps slashes, and nothing else, unescaped in a short URL', () => {
    assert.equal(shortUrlOf('https://h', 'Shop/Sale'), 'https://h/Shop/Sale');
    assert.equal(shortUrlOf('https://h', 'é/☕/a'), 'https://h/%C3%A9/%E2%98%95/a');
    for (const [code, count] of [
      ['a', 1],
      ['a/b', 2],
      ['a/b/c/d/e', 5],
    ] as const)
      assert.equal(segmentsIn(code), count);
  });

  test('rejects Latin letters mixed with Cyrillic or Greek ones', () => {
    for (const code of ['sаle', 'pаypal-1', 'ＳАle', 'αlpha', '5µm'])
      assert.match(customCodeProblem(code, 'customCode', unicode)?.message ?? '', /look alike/, code);
    for (const code of ['сале', 'αλφα-1', 'cafe咖啡', 'straße☕'])
      assert.equal(customCodeProblem(code, 'customCode', unicode), undefined, code);
  });

  test('folds spellings that look like one code to one', () => {
    for (const [one, other] of [
      ['Caf\u00e9', 'CAFE\u0301'],
      ['☕', '☕\ufe0f'],
      ['ｓａｌｅ', 'Sale'],
      ['ﬁt', 'FIT'],
      ['ΟΔΟΣ', 'οδος'],
      ['\u212ale', 'KLE'],
    ] as const)
      assert.equal(foldCode(one), foldCode(other), one);
    assert.ok(isReserved('ａｐｉ'));
    assert.notEqual(foldCode('cafe'), foldCode('café'));
    assert.notEqual(foldCode('👩‍💻'), foldCode('👩💻'));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (text) => {
        if (!couldBeCode(text)) return;
        assert.equal(foldCode(foldCode(text)), foldCode(text));
        assert.equal(foldCode(text.normalize('NFD')), foldCode(text));
        assert.ok(couldBeCode(foldCode(text)), text);
      }),
      runs(5_000),
    );
  });

  test('rejects any text quickly', () => {
    for (const part of ['ℹ', '☕\u200d', 'é\u0301', '🇩', 'ℹ\ufe0f'])
      assert.equal(couldBeCode(`${part.repeat(150)}!`), false);
  });
});
