import { type Command, InvalidArgumentError, Option } from 'commander';
import { dashboardUrl } from '../../app/announce.ts';
import { createLogin, keyForLogin } from '../../model/accounts/sessions.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { withTools } from '../terminal/local.ts';
import { note, say, sayJson, when } from '../terminal/print.ts';
import { hasAccount, noSuchAccount } from './account-names.ts';

interface LoginOptions {
  readonly account: string;
  readonly key?: string;
  readonly server?: string;
  readonly json?: true;
}

export function addLogin(program: Command): void {
  addCommand(program, 'login', 'Print a link that signs a browser in to the dashboard, once', {
    examples: [
      ['linkfold login', 'into the account default, within 30 minutes'],
      ['linkfold login --account acme --key 4fT9qLz2', 'with the rights of one key'],
    ],
    notes:
      'The session can do what a key of the account can: the live key that may do most, unless --key names another one.',
    refused: 'there is no such account, or it has no live key',
    reaches: 'database',
  })
    .option('--account <name>', 'account to sign in to', 'default')
    .option('--key <id>', 'id of the key with which the session acts')
    .addOption(
      new Option('--server <url>', 'where the browser reaches the server (default: by the settings)')
        .env('LINKFOLD_URL')
        .argParser(serverOrigin),
    )
    .option(...jsonOption)
    .action(({ account, key: wanted, server, json }: LoginOptions) =>
      withTools({ json }, async ({ storage, now, randomBytes }, config) => {
        if (!config.DASHBOARD) throw new Stop(exits.refused, 'The dashboard is turned off: DASHBOARD=0.');
        const keys = await storage.keys(account);
        if (keys.length === 0 && !(await hasAccount(storage, account)))
          throw await noSuchAccount(storage, account);
        const key = keyForLogin(
          keys.filter(({ id }) => wanted === undefined || id === wanted),
          now(),
        );
        if (key === undefined) throw noLiveKey(account);
        const { token, expiresAt } = await createLogin(storage, key.id, now(), randomBytes);
        const place = server === undefined ? dashboardUrl(config, config.PORT) : `${server}/dashboard`;
        const url = `${place}/login#${token}`;
        if (json) return sayJson({ url, keyId: key.id, expiresAt: formatTimestamp(expiresAt) });
        note(`Open this in a browser, once, before ${when(expiresAt)}. It acts with key ${key.id}:`);
        say(url);
      }),
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
