import type { Command } from 'commander';
import { slipsBetween } from '../runtime/spelling.ts';

/** Command lines to suggest for words that users may try although they are not commands. */
const meant: Readonly<Record<string, readonly string[]>> = {
  rename: ['links update LINK --code CODE'],
  tag: ['links update LINK --tag TAGS'],
  open: ['links get LINK'],
  expand: ['links get LINK'],
  info: ['links get LINK', 'status'],
  edit: ['links update LINK'],
  update: ['links update LINK', 'upgrade'],
  restore: ['links restore LINK', 'db restore FILE'],
  archive: ['links update LINK --archived true'],
  unarchive: ['links update LINK --archived false'],
  disable: ['links update LINK --disabled true'],
  enable: ['links update LINK --disabled false'],
  count: ['whoami'],
  search: ['links list --search WORDS'],
  find: ['links list --search WORDS'],
  top: ['stats'],
  dashboard: ['login'],
  logs: ['audit'],
  log: ['audit'],
  init: ['serve'],
  setup: ['serve'],
  token: ['keys create'],
  tokens: ['keys list'],
  settings: ['config'],
  env: ['config'],
  doctor: ['db check'],
};
const count = 3;

/**
 * Returns suggestions for an unknown command: what the user probably meant, and the commands with similar names.
 * @returns undefined if the line starts with an existing command, or has an option in place of a command name
 */
export function unknownCommand(program: Command, args: readonly string[]): string | undefined {
  let group = program;
  const path: string[] = [];
  for (const word of args) {
    const next = group.commands.find((one) => one.name() === word || one.aliases().includes(word));
    path.push(word);
    if (next === undefined) break;
    group = next;
  }
  const word = path.at(-1) ?? '';
  if (group.commands.length === 0 || word.startsWith('-')) return undefined;
  return `Unknown command "${path.join(' ')}". Try: ${nearest(group, word)
    .map((line) => `linkfold ${line}`)
    .join(', ')}.`;
}

function nearest(group: Command, word: string): string[] {
  if (/^https?:\/\/|^[\w-]+(\.[\w-]+)+(\/|$)/i.test(word)) return [`shorten ${word}`];
  const near = below(group)
    .map((command) => ({ path: pathOf(command), distance: distanceTo(command, word) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ path }) => path);
  return [...new Set([...(meant[word] ?? []), ...near])].slice(0, count);
}

/** Returns all subcommands of a command, at any depth. */
function below(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...below(child)]);
}

function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

/** Returns the edit distance between a word and the most similar of a command's names. */
function distanceTo(command: Command, word: string): number {
  const names = [command.name(), ...command.aliases()];
  return Math.min(
    ...names.map((name) => (name !== word && name.startsWith(word) ? 0.5 : slipsBetween(word, name, 99))),
  );
}
