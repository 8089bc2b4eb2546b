import { ConfigError, settings } from '../../config.ts';
import { slipsBetween } from '../../runtime/spelling.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that are not server settings but are used by commands and tests. */
const others: ReadonlySet<string> = new Set([
  'LINKFOLD_URL',
  'LINKFOLD_API_KEY',
  'LINKFOLD_API_KEY_FILE',
  'LINKFOLD_CACHE',
  'LINKFOLD_FAULTS',
  'LINKFOLD_UNSAFE_SYNCHRONOUS',
]);
const prefix = 'LINKFOLD_';

interface Known {
  readonly name: string;
  readonly letters: string;
}

function normalizeName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

const known: readonly Known[] = Object.entries(settings)
  .flatMap(([name, setting]) => ('secret' in setting || 'file' in setting ? [name, `${name}_FILE`] : [name]))
  .map((name) => ({ name, letters: normalizeName(name) }));
const names: ReadonlySet<string> = new Set(known.map(({ name }) => name));

/**
 * Returns the maximum edit distance for a name of this length. It is 0 for short names, because HOST is close to HOME,
 * and PORT is close to many names.
 */
function maxWrong(length: number): number {
  return length < 6 ? 0 : length < 10 ? 1 : 2;
}
/**
 * Returns true if two names have the same letters. Two swapped letters (PROT for PORT) count as a typo even in a short
 * name.
 */
function hasSameLetters(one: string, other: string): boolean {
  return [...one].sort().join('') === [...other].sort().join('');
}
const maxSettingLength = 40;

interface Stray {
  readonly sentence: string;
  /** Setting that the user probably meant. */
  readonly meant?: string;
}

/**
 * Rejects misspelled settings. If the correctly spelled setting is set too, the variable probably belongs to another
 * program and only causes a warning.
 * @param onWarning receives a sentence for each suspicious name that is not rejected
 * @throws ConfigError with a sentence for each misspelled setting
 */
export function requireKnownNames(env: Environment, onWarning: (sentence: string) => void): void {
  const strays = straysIn(env);
  const mistyped = strays.filter(({ meant }) => meant !== undefined && !env[meant]);
  if (mistyped.length > 0) throw new ConfigError(mistyped.map(({ sentence }) => sentence).join('\n'));
  for (const { sentence } of strays) onWarning(sentence);
}

/**
 * Finds variables that look like a misspelled setting (BASEURL, DATADIR, LINKFOLD_PORT), which the server would
 * silently ignore.
 * @returns a sentence for each variable
 */
export function strayVariables(env: Environment): string[] {
  return straysIn(env).map(({ sentence }) => sentence);
}

function straysIn(env: Environment): Stray[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (value === '' || names.has(name) || others.has(name) || name.length > maxSettingLength) return [];
    // For a service named "linkfold", Kubernetes sets variables like LINKFOLD_PORT to URLs with these schemes.
    if (/^(?:tcp|udp|sctp):\/\//.test(value)) return [];
    const base = name.replace(/_FILE$/, '');
    if (base !== name && names.has(base))
      return [
        { sentence: `${name} is not a setting: ${base} does not support the _FILE suffix.`, meant: base },
      ];
    const meant = nearest(name);
    return meant === undefined
      ? []
      : [{ sentence: `${name} is not a setting: did you mean ${meant}?`, meant }];
  });
}

function nearest(name: string): string | undefined {
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const letters = normalizeName(bare);
  const near = known
    .filter((one) => hasSameEnd(letters, one.letters))
    .map((one) => ({ ...one, wrong: slipsBetween(letters, one.letters, maxSettingLength) }))
    .filter(
      ({ wrong, letters: right }) =>
        wrong <= maxWrong(Math.min(letters.length, right.length)) ||
        (wrong === 1 && hasSameLetters(letters, right)),
    );
  return near.sort((one, other) => one.wrong - other.wrong)[0]?.name;
}

/**
 * Returns true if two names have the same start or the same end, as a misspelled name and its setting usually do. This
 * cheap test comes before the edit distance, because an environment may contain thousands of variables.
 */
function hasSameEnd(one: string, other: string): boolean {
  return (
    one.slice(0, 2) === other.slice(0, 2) ||
    one.slice(-2) === other.slice(-2) ||
    (one[0] === other[0] && one.at(-1) === other.at(-1))
  );
}
