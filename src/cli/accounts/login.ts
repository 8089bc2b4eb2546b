import { type Command, InvalidArgumentError, Option } from 'commander';
import { dashboardUrl } from '../../app/announce.ts';
import { createLogin, keyForLogin } from '../../model/accounts/sessions.ts';
import type { Storage } from '../../model/storage.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import { clean, note, say, sayJson, when } from '../terminal/print.ts';
import { hasAccount, noSuchAccount } from './account-names.ts';
import { loginByBrowser } from './device-login.ts';
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
  addCommand(
    program,
    'login',
    'Sign in at a server by a browser; beside the server, print a link that signs a browser in',
    {
      examples: [
        [
          'linkfold login https://go.example.com',
          'from any machine: approved in a browser, kept as a profile',
        ],
        [
          'linkfold login',
          'beside the server: a link into the account default, good once, within 30 minutes',
        ],
        ['linkfold login --account acme --key 4fT9qLz2', 'with the rights of one key'],
        ['linkfold login --person ada@example.com', 'as a person: by email, name or id'],
      ],
      notes:
        'With a server, a code is shown, which the person compares in the dashboard there. The key that comes of it may do what they may, ends after 90 days, and is kept in the configuration of this user (linkfold profiles); linkfold logout revokes it.\n\nWithout one it works on the installation here. The session can do what a key of the account can: the live key that may do most, unless --key names another one. With --person it is that person who is signed in.',
      refused: 'there is no such account or person, or it has no live key',
      reaches: 'database',
    },
  )
    .argument('[server]', 'the server to sign in at', serverOrigin)
    .option(
      '--profile <name>',
      'name under which server and key are kept (default: by the host)',
      profileName,
    )
    .option('--account <name>', 'account to sign in to', 'default')
    .option('--key <id>', 'id of the key with which the session acts')
    .option('--person <person>', 'id, email or name of the person to sign in')
    .addOption(
      new Option('--server <url>', 'where the browser reaches the server (default: by the settings)')
        .env('LINKFOLD_URL')
        .argParser(serverOrigin),
    )
    .option(...jsonOption)
    .action(
      (remote: string | undefined, { account, key: wanted, person, server, profile, json }: LoginOptions) => {
        if (remote !== undefined) return loginByBrowser(remote, { profile, json });
        return withTools({ json }, async ({ storage, now, randomBytes }, config) => {
          if (!config.DASHBOARD) throw new Stop(exits.refused, 'The dashboard is turned off: DASHBOARD=0.');
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
          const place = server === undefined ? dashboardUrl(config, config.PORT) : `${server}/dashboard`;
          const url = `${place}/login#${token}`;
          if (json) return sayJson({ url, keyId: id, expiresAt: formatTimestamp(expiresAt) });
          note(
            `Open this in a browser, once, before ${when(expiresAt)}. It acts ${person === undefined ? `with key ${id}` : `as ${clean(person)}`}:`,
          );
          say(url);
        });
      },
    );
}

/** @throws Stop when nobody, or more than one, is meant */
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
      ? `There is nobody "${clean(given)}" in the account "${account}".`
      : `Several people are called so; give an id: ${meant.map(({ id }) => id).join(', ')}`,
  );
}

function serverOrigin(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin;
  throw new InvalidArgumentError('Give an http or https URL, such as https://go.example.com.');
}

function noLiveKey(account: string): Stop {
  return new Stop(
    exits.refused,
    `The account "${account}" has no such live key. Make one with: linkfold keys create --account NAME`,
  );
}
