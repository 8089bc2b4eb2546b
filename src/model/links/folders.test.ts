import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { folderNameProblem } from './folders.ts';

describe('a folder name needs a visible character', () => {
  const blank: Readonly<Record<string, string>> = {
    nothing: '',
    spaces: '   ',
    'tabs and line breaks': '\t\n\r',
    'no-break space': '\u00a0',
    'ideographic space': '\u3000',
    'line and paragraph separators': '\u2028\u2029',
    'zero-width space': '\u200b',
    'zero-width joiners': '\u200c\u200d',
    'byte-order mark': '\ufeff',
    'word joiner': '\u2060',
    'soft hyphen': '\u00ad',
    'bidirectional marks': '\u200e\u200f\u202e\u061c',
    'Hangul fillers': '\u115f\u1160\u3164\uffa0',
    'empty Braille cell': '\u2800',
    'variation selectors': '\ufe0f\ufe00',
    'variation selectors supplement': '\u{e0100}',
    'combining grapheme joiner': '\u034f',
    'Khmer inherent vowels': '\u17b4\u17b5',
    'Mongolian variation selector and vowel separator': '\u180b\u180e',
    'tag characters': '\u{e0067}\u{e007f}',
    'a control character': '\u0007',
    'an unassigned code point': '\u0378',
    'a private one': '\ue000',
    'a mixture': ' \u200b\u3164\ufe0f\u2800 ',
  };
  for (const [what, name] of Object.entries(blank)) {
    test(`refused: ${what}`, () => {
      const { field, reason, code } = folderNameProblem(name) ?? {};
      assert.deepEqual(
        { field, reason, code },
        { field: 'name', reason: 'too_short', code: 'VALIDATION_ERROR' },
      );
    });
  }

  const visible = [
    'x',
    '0',
    '.',
    '-',
    '#',
    'é',
    'e\u0301',
    'ß',
    'Ω',
    'я',
    '漢字',
    'ᄒ',
    '한글',
    'ا',
    '😀',
    '❤️',
  ];
  for (const name of [
    ...visible,
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '⠁',
    '€',
    '½',
    '\u200bx',
    ' \u3164x ',
    '"',
    "'; DROP TABLE folders; --",
  ]) {
    test(`accepted: ${name}`, () => assert.equal(folderNameProblem(name), undefined));
  }
});
