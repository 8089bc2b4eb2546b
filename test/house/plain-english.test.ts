import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const root = join(import.meta.dirname, '..', '..');

/** Phrases to avoid in pages and comments, and the plainer word to use instead. */
const avoided: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bonce more\b/i, 'again'],
  [/\bfor ever\b/i, 'permanently'],
  [/\bin vain\b/i, 'failed'],
  [/\blets? go of\b/i, 'releases, deletes'],
  [/\btells apart\b/i, 'distinguishes'],
  [/\bbound keys?\b/i, 'restricted key'],
  [/\bready line\b/i, 'startup message'],
  [/\bof then\b/i, 'at the time'],
  [/\bfor good\b/i, 'permanently'],
  [/\b(?:is|are) led\b/i, 'is redirected'],
  [/\bdead ends?\b/i, 'not-found visits'],
  [/\blinks that decide\b/i, 'redirect rules'],
  [/\bwatched destinations?\b/i, 'destination monitoring'],
  [/\bmov(?:es?|ing) in (?:with|from)\b/i, 'import'],
  [/\bforms in which\b/i, 'ways to, packages'],
  [/\bholds? up\b/i, 'blocks, delays'],
  [/\bknows? nothing of\b/i, 'is independent of'],
  [/\bthat which\b/i, 'name the thing'],
  [/\bmade good\b/i, 'corrected, repeated'],
  [/\bso long as\b/i, 'while, if'],
  [/\bstands? for itself\b/i, 'is separate'],
  [/\bno (?:whole number|plan of|line of)\b/i, 'not an integer, not a …'],
  [/\bwhole number\b/i, 'integer'],
  [/\b(?:which|that) (?:is|are) none\b/i, 'invalid, unknown'],
  [/\bsays? so\b/i, 'reports, shows'],
  [/\bbelieved\b/i, 'trusted'],
  [/\bone a line\b/i, 'one per line'],
  [/\bmade anew\b/i, 'regenerated, recreated'],
  [/\bis (?:taken|told|led|begun|borne) (?:over|of|on)\b/i, 'name the action'],
  [/\bwhat (?:was|is) read\b/i, 'the data'],
  [/\bleads? (?:elsewhere|nowhere|on)\b/i, 'redirects'],
  [/\bgoes on\b/i, 'continues'],
  [/\bsound backup\b/i, 'valid backup'],
  [/\bprocessor time\b/i, 'CPU time'],
  [/(?:^|['"`(] ?|\. )Give (?:a|an|the|at|one|either|it|both|--)\b/, 'Specify, Pass'],
];

test('docs, interface texts and comments use plain words', () => {
  const files = ['docs', 'src', 'dashboard', 'scripts', 'extension'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const pages = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'bench/README.md',
    'extension/store/listing.md',
  ];
  const found = [...files, ...pages]
    .filter((file) => /(?<!\.test)\.(?:md|tsx?)$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          avoided
            .filter(([phrase]) => phrase.test(line))
            .map(([phrase, instead]) => `${file}:${index + 1}: ${phrase.exec(line)?.[0]}: say "${instead}"`),
        ),
    );
  assert.deepEqual(found, []);
});
