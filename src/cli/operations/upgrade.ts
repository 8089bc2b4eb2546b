import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { findRelease, isNewer, NoUpgrade, type Release } from '../../external/upgrade/release.ts';
import { upgradeSettings } from '../../external/upgrade/settings.ts';
import { version } from '../../runtime/version.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { readConfig } from '../terminal/local.ts';
import { note, printJson, printLine } from '../terminal/print.ts';

/** Settings that are built into the standalone executable. */
interface BuiltIn {
  readonly url?: string;
  readonly key?: string;
  /** Set if the executable is part of a package or an image, which is upgraded by other means. */
  readonly isPackaged?: true;
}

/** Adds the command that upgrades the standalone executable. */
export function addUpgrade(program: Command): void {
  addCommand(program, 'upgrade', 'Upgrade this standalone executable to the latest release', {
    examples: [
      ['linkfold upgrade --check', 'shows the latest version'],
      ['linkfold upgrade', 'installs it and keeps the old file as linkfold.old'],
    ],
    refused: 'invalid signature or checksum, older version, or a folder that cannot be written to',
    reaches: 'server',
    notes:
      'The release list must be signed with UPGRADE_KEY. The downloaded executable must match the checksum in the list, be newer than this version, and run on this machine. The new file replaces the old one atomically. A running server uses the old version until it is restarted.',
  })
    .option('--check', 'only show the latest version')
    .option(...jsonOption)
    .action(async ({ check, json }: { check?: true; json?: true }) => {
      const release = await newest();
      const isNew = isNewer(release.version, version);
      if (isNew && check === undefined) {
        if (!json) note(`Upgrading from ${version} to ${release.version} …`);
        // This module is loaded on demand, because it needs a newer Node.js version than this command's help does.
        const { install } = await import('../../external/upgrade/install.ts');
        await install(release, process.execPath).catch(fail);
      }
      const isInstalled = isNew && check === undefined;
      if (json) printJson({ version, newest: release.version, installed: isInstalled });
      else if (isInstalled)
        printLine(
          `${process.execPath} is now version ${release.version}; the old one is ${process.execPath}.old. Restart the server.`,
        );
      else
        printLine(
          isNew
            ? `Version ${release.version} is available; this is ${version}.`
            : `This is the newest version, ${version}.`,
        );
    });
}

/**
 * Returns the latest release.
 * @throws Stop if it is older than this program, no release can be found, or this program is not a standalone
 * executable
 */
async function newest(): Promise<Release> {
  const { UPGRADE_URL, UPGRADE_KEY } = readConfig();
  const isOneFile = process.getBuiltinModule('node:sea')?.isSea() === true;
  const builtIn = isOneFile ? readBuiltIn() : {};
  if (!isOneFile || builtIn.isPackaged)
    throw new Stop(
      exits.refused,
      'Only the standalone executable upgrades itself. In a checkout: git pull, then npm ci --omit=dev and npm run build:serve. For the npm package, the image and the Debian package: install the new release.',
    );
  const url = UPGRADE_URL ?? (builtIn.url && upgradeSettings.UPGRADE_URL.read(builtIn.url));
  const key = UPGRADE_KEY ?? (builtIn.key && upgradeSettings.UPGRADE_KEY.read(builtIn.key));
  if (!url || !key)
    throw new Stop(exits.usage, 'Set UPGRADE_URL and UPGRADE_KEY. This build has no default upgrade source.');
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const release = await findRelease(url, key, platform).catch(fail);
  if (isNewer(version, release.version))
    throw new Stop(
      exits.refused,
      `The newest version at ${url} is ${release.version}, which is older than the installed version ${version}. Nothing was changed.`,
    );
  return release;
}

function readBuiltIn(): BuiltIn {
  return JSON.parse(readFileSync(new URL('../../../upgrade.json', import.meta.url), 'utf8')) as BuiltIn;
}

function fail(error: unknown): never {
  if (!(error instanceof NoUpgrade)) throw error;
  throw new Stop(error.isAway ? exits.unreachable : exits.refused, error.message);
}
