import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { runningDashboardUrl } from '../../app/announce.ts';
import type { Client } from '../../client/client.ts';
import { createLogin, keyForLogin } from '../../model/accounts/sessions.ts';
import type { Storage } from '../../model/storage.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import { clean, note, printJson, printLine, when } from '../terminal/print.ts';
import { readProfiles, writeProfiles } from '../terminal/profiles.ts';
import { hasAccount, noSuchAccount } from './account-names.ts';
import { profileName } from './profiles.ts';

interface LoginOptions {
  readonly account: string;
  readonly key?: string;
  readonly person?: string;
  readonly server?: string;
  readonly profile?: string;
  readonly json?: true;
}

export function addLogin(program: Command): void {
  addCommand(program, 'login', 'Sign in to a server in a browser, or print a link that signs a browser in', {
    examples: [
      ['linkfold login https://go.example.com', 'from any machine: approve it in a browser; saves a profile'],
      ['linkfold login', 'on the server’s machine: a link for the account "default"'],
      ['linkfold login --account acme --key 4fT9qLz2', 'with the permissions of one key'],
      ['linkfold login --person ada@example.com', 'as a member: by email, name or ID'],
    ],
    notes:
      'With a server, the command prints a code to compare in the dashboard. The command gets a key with your permissions, which expires after 90 days, and saves the key as a profile. linkfold logout revokes the key.\n\nWithout a server, the command works on the local installation. The link can be used once and expires after 30 minutes. The session has the permissions of --key, of --person, or of the key with the most permissions.',
    refused: 'the account or person does not exist, or has no active key',
    reaches: 'database',
  })
    .argument('[server]', 'URL of the server', serverOrigin)
    .option('--profile <name>', 'name of the profile to save (default: the host)', profileName)
    .option('--account <name>', 'account to sign in to', 'default')
    .option('--key <id>', 'ID of the key whose permissions the session gets')
    .option('--person <person>', 'ID, email or name of the member to sign in')
    .addOption(
      new Option('--server <url>', 'server URL to use in the link (default: from the settings)')
        .env('LINKFOLD_URL')
        .argParser(serverOrigin),
    )
    .option(...jsonOption)
    .action(
      (remote: string | undefined, { account, key: wanted, person, server, profile, json }: LoginOptions) => {
        if (remote !== undefined) return loginByBrowser(remote, { profile, json });
        return withTools({ json }, async ({ storage, now, randomBytes }, config) => {
          if (!config.DASHBOARD) throw new Stop(exits.refused, 'The dashboard is disabled: DASHBOARD=0.');
          const keys = await storage.keys(account);
          if (keys.length === 0 && !(await hasAccount(storage, account)))
            throw await noSuchAccount(storage, account);
          const id =
            person === undefined
              ? keyForLogin(
                  keys.filter(({ id }) => wanted === undefined || id === wanted),
                  now(),
                )?.id
              : await keyOfPerson(storage, account, person);
          if (id === undefined) throw noLiveKey(account);
          const { token, expiresAt } = await createLogin(storage, id, now(), randomBytes);
          const place = server === undefined ? runningDashboardUrl(config) : `${server}/dashboard`;
          const url = `${place}/login#${token}`;
          if (json) return printJson({ url, keyId: id, expiresAt: formatTimestamp(expiresAt) });
          note(
            `Open this one-time link in a browser before ${when(expiresAt)}. The link signs in ${person === undefined ? `with the permissions of key ${id}` : `as ${clean(person)}`}:`,
          );
          printLine(url);
        });
      },
    );
}

/** Returns the id of a member's key. @throws Stop if no member or several members match */
async function keyOfPerson(storage: Storage, account: string, given: string): Promise<string> {
  const found = (await storage.accounts()).find(({ name }) => name === account);
  if (found === undefined) throw await noSuchAccount(storage, account);
  const meant = (await storage.members(found.id)).filter(({ id, email, name }) =>
    [id, email, name].includes(given),
  );
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only.keyId;
  throw new Stop(
    exits.refused,
    meant.length === 0
      ? `The account "${account}" has no member "${clean(given)}".`
      : `Several people match. Specify an ID: ${meant.map(({ id }) => id).join(', ')}`,
  );
}

function serverOrigin(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol))
    return url.origin + url.pathname.replace(/\/(?:dashboard(?:\/.*)?)?$/, '');
  throw new InvalidArgumentError('Specify an http or https URL, such as https://go.example.com.');
}

function noLiveKey(account: string): Stop {
  return new Stop(
    exits.refused,
    `The account "${account}" has no matching active key. To create one: linkfold keys create --account NAME`,
  );
}

/** Signs in to a server through a browser, which may run on another machine, and saves the key as a profile. */
async function loginByBrowser(
  server: string,
  { profile, json }: { readonly profile?: string | undefined; readonly json?: true | undefined },
): Promise<void> {
  const { createClient } = await import('../../client/client.ts');
  const client = createClient({ baseUrl: server, apiKey: null });
  // The profiles file is read first, so that an error in it stops the command before the user signs in.
  readProfiles();
  const name = `linkfold on ${hostname()}`.slice(0, 100);
  const asked = await client.beginDevice({ name });
  note('Open this URL in a browser, sign in, and compare the code:');
  note(`  ${clean(asked.verificationUriComplete)}`);
  note(`  ${clean(asked.userCode)}`);
  const { key, account } = await answered(client, asked);
  const kept = profile ?? new URL(server).host.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40);
  const known = readProfiles();
  writeProfiles({ current: kept, profiles: { ...known.profiles, [kept]: { server, key } } });
  if (json) printJson({ profile: kept, server, account });
  else printLine(`Signed in to ${clean(account)} at ${server}. Commands now use it (profile ${kept}).`);
}

/** Polls until the user has confirmed the sign-in in the browser. @throws Stop if the user declines */
async function answered(
  client: Client,
  { deviceCode, interval }: { readonly deviceCode: string; readonly interval: number },
): Promise<{ key: string; account: string }> {
  for (;;) {
    await pause(interval * 1_000);
    const { status, key, account } = await client.takeDeviceKey({ deviceCode });
    if (status === 'denied')
      throw new Stop(exits.refused, 'The sign-in was denied in the browser. Nothing was saved.');
    if (key !== null && account !== null) return { key, account };
  }
}
