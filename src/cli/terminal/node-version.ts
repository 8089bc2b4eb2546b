import { exits, Stop } from './exits.ts';

/**
 * Commands that need the pinned Node.js version, because they run the server or read a database. All other commands
 * also run on older versions.
 */
const commandsNeedingPinnedNode: ReadonlySet<string | undefined> = new Set([
  'serve',
  'keys',
  'accounts',
  'operators',
  'login',
  'sessions',
  'codes',
  'block-lists',
  'certificates',
  'import',
  'db',
  'openapi',
  'upgrade',
]);
/** Major Node.js version that storage requires. */
const pinnedMajor = 26;

/**
 * Checks the Node.js version.
 * @param args the command line
 * @throws Stop if the command needs a newer version than the running one
 */
export function requireNode(args: readonly string[], running = process.versions.node): void {
  if (!commandsNeedingPinnedNode.has(args[0]) || Number.parseInt(running, 10) >= pinnedMajor) return;
  if (args.includes('--help') || args.includes('-h')) return;
  throw new Stop(
    exits.refused,
    `linkfold ${args[0]} requires Node ${pinnedMajor}, but this is ${running}. npm installs it with Linkfold unless optional packages are omitted. On other platforms (musl, other processors), put Node ${pinnedMajor} on the PATH. Commands that call a server also run on this version.`,
  );
}
