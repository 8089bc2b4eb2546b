import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { clean, note, printJson, printLine } from '../terminal/print.ts';
import { readProfiles, writeProfiles } from '../terminal/profiles.ts';

/** Signs in to a server with a browser, which may be on another machine, and saves the key as a profile. */
export async function loginByBrowser(
  server: string,
  { profile, json }: { readonly profile?: string | undefined; readonly json?: true | undefined },
): Promise<void> {
  const { createClient } = await import('../../client/client.ts');
  const client = createClient({ baseUrl: server, apiKey: null });
  // First, so that an unreadable file stops the command before the user signs in.
  readProfiles();
  const name = `linkfold on ${hostname()}`.slice(0, 100);
  const asked = await client.beginDevice({ name });
  note('Open this in a browser, sign in, and compare the code:');
  note(`  ${clean(asked.verificationUriComplete)}`);
  note(`  ${clean(asked.userCode)}`);
  const { key, account } = await answered(client, asked);
  const kept = profile ?? new URL(server).host.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40);
  const known = readProfiles();
  writeProfiles({ current: kept, profiles: { ...known.profiles, [kept]: { server, key } } });
  if (json) printJson({ profile: kept, server, account });
  else printLine(`Signed in to ${clean(account)} at ${server}. Commands now use it (profile ${kept}).`);
}

/** Polls until the person has confirmed. @throws Stop if they decline */
async function answered(
  client: Client,
  { deviceCode, interval }: { readonly deviceCode: string; readonly interval: number },
): Promise<{ key: string; account: string }> {
  for (;;) {
    await pause(interval * 1_000);
    const { status, key, account } = await client.takeDeviceKey({ deviceCode });
    if (status === 'denied')
      throw new Stop(exits.refused, 'It was declined in the browser. Nothing was saved.');
    if (key !== null && account !== null) return { key, account };
  }
}
