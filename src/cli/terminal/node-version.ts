import { exits, Stop } from './exits.ts';

/** Commands that work on the installation itself or read databases; all others get along with the Node of most machines. */
const needingPinned: ReadonlySet<string | undefined> = new Set([
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
/** What its storage needs. */
const pinnedMajor = 26;

/**
 * @param args the command line
 * @throws Stop when its command needs a newer Node than the one that runs
 */
export function requireNode(args: readonly string[], running = process.versions.node): void {
  if (!needingPinned.has(args[0]) || Number.parseInt(running, 10) >= pinnedMajor) return;
  if (args.includes('--help') || args.includes('-h')) return;
  throw new Stop(
    exits.refused,
    `linkfold ${args[0]} needs Node ${pinnedMajor}, and this is ${running}. npm installs it with Linkfold unless told to omit optional packages; where there is none for the machine (musl, other processors), put Node ${pinnedMajor} on the PATH. Commands that talk to a server need no other Node.`,
  );
}
