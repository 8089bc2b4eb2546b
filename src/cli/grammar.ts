import { note } from './terminal/print.ts';

/** Former command names, supported for one more release. */
const renamed: Readonly<Record<string, string>> = {
  me: 'whoami',
  people: 'members',
  'links shorten': 'shorten',
  'links unshare': 'shares delete',
  'account set': 'account update',
  'branding set': 'branding update',
  'branding clear': 'branding delete',
  'domains set': 'domains update',
  'members set': 'members update',
  'webhooks set': 'webhooks update',
};

/** Synonyms for commands, some of which include options. */
const synonyms: Readonly<Record<string, string>> = {
  '-v': '--version',
  version: '--version',
  start: 'serve',
  run: 'serve',
  server: 'serve',
  health: 'ready',
  ping: 'status',
  backup: 'db backup',
  migrate: 'db migrate',
  auth: 'login',
  'auth login': 'login',
  'auth logout': 'logout',
  'auth status': 'whoami',
  user: 'members',
  users: 'members',
  team: 'members',
  invite: 'invitations create',
  'members invite': 'invitations create',
  url: 'links',
  urls: 'links',
  'short-url': 'links',
  'short-urls': 'links',
  'api-key': 'keys',
  'api-keys': 'keys',
  visits: 'clicks',
  analytics: 'stats',
  statistics: 'stats',
  qrcode: 'qr',
  mv: 'links move',
  undelete: 'links restore',
  'links search': 'links list --search',
  'links find': 'links list --search',
  'links enable': 'links update --disabled false',
  'links disable': 'links update --disabled true',
  'links archive': 'links update --archived true',
  'links unarchive': 'links update --archived false',
  'links stats': 'stats',
  'links clicks': 'clicks',
  'links qr': 'qr',
  'webhooks enable': 'webhooks update --on',
  'webhooks disable': 'webhooks update --off',
};

/**
 * Normalizes a command line: replaces singular or plural forms, synonyms and former names with the actual command
 * names. Prints a note to stderr for former names.
 * @param commands names of the top-level commands
 */
export function normalizeWords(args: readonly string[], commands: readonly string[]): readonly string[] {
  const isQuiet = args.includes('--json');
  let words = spelled(args);
  // This takes several steps, because one name may map to another: `user set` becomes `members set`, which becomes
  // `members update`.
  for (let step = 0; step < 4; step += 1) {
    const [first = '', second = ''] = words;
    const pair = `${first} ${second}`;
    const [from, to] = [pair, first]
      .map((phrase) => [phrase, renamed[phrase] ?? synonyms[phrase]] as const)
      .find(([, meant]) => meant !== undefined) ?? [first, inNumber(first, commands)];
    if (to === undefined) break;
    if (!isQuiet && renamed[from] !== undefined)
      note(`"linkfold ${from}" is now "linkfold ${to}". The old name still works in this release.`);
    words = [...to.split(' '), ...words.slice(from.split(' ').length)];
  }
  const [noun, verb, invited] = words;
  const isInvited = noun === 'invitations' && verb === 'create' && invited?.includes('@') === true;
  return isInvited ? [noun, verb, '--email', ...words.slice(2)] : words;
}

/** Rewrites `links:list` as `links list`, and `links help` as `help links`. */
function spelled([first = '', second, ...more]: readonly string[]): readonly string[] {
  const split = /^([a-z-]+):([a-z-]+)$/.exec(first);
  if (split !== null) return [...split.slice(1), ...(second === undefined ? [] : [second]), ...more];
  if (second === undefined) return first === '' ? [] : [first];
  return second === 'help' && more.length === 0 && first !== 'help'
    ? ['help', first]
    : [first, second, ...more];
}

/**
 * Returns the singular or plural form of a word if that form is a command. Returns undefined if the word itself is a
 * command, or if neither form is.
 */
function inNumber(word: string, commands: readonly string[]): string | undefined {
  if (commands.includes(word)) return undefined;
  return [`${word}s`, word.replace(/s$/, '')].find((one) => commands.includes(one));
}
