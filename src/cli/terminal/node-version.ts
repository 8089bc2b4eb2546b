import { exits, Stop } from './exits.ts';

/**
 * Commands that use the installation itself or read databases, and need the pinned Node.js version. All others also
 * work with the versions that most machines have.
 */
const commandsNeedingPinnedNode: ReadonlySet<string | undefined> = new Set([
  ...[
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
  ],
]);
/** Required by its storage. */
const pinnedMajor = 26;

/**
 * Checks the Node.js version.
 * @param args the command line
 * @throws Stop if its command needs a newer version than the running one
 */
export function requireNode(args: readonly string[], running = process.versions.node): void {
  if (!commandsNeedingPinnedNode.has(args[0]) || Number.parseInt(running, 10) >= pinnedMajor) return;
  if (args.includes('--help') || args.includes('-h')) return;
  throw new Stop(
    exits.refused,
    `linkfold ${args[0]} needs Node ${pinnedMajor}, and this is ${running}. npm installs it with Linkfold unless told to omit optional packages; where there is none for the machine (musl, other processors), put Node ${pinnedMajor} on the PATH. Commands that talk to a server need no other Node.`,
  );
}
