import type { Command } from 'commander';
import { ApiError, createClient } from '../../client/client.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { clean, note, printJson } from '../terminal/print.ts';
import { profileNamed, readProfiles, writeProfiles } from '../terminal/profiles.ts';

export function addLogout(program: Command): void {
  addCommand(program, 'logout', 'Revoke the key of a profile and delete the profile', {
    examples: [
      ['linkfold logout', 'the current profile'],
      ['linkfold logout work', 'another one'],
    ],
    notes:
      'A key without the scope keys:write cannot revoke itself. The profile is deleted; revoke the key under Keys in the dashboard.',
    refused: 'the profile does not exist',
    reaches: 'server',
  })
    .argument('[profile]', 'name of a profile (default: the current one)')
    .option(...jsonOption)
    .action(async (given: string | undefined, { json }: { readonly json?: true }) => {
      const known = readProfiles();
      const name = given ?? (process.env['LINKFOLD_PROFILE'] || known.current);
      if (name === null)
        throw new Stop(exits.refused, 'No current profile. To list profiles: linkfold profiles list');
      const { server, key } = profileNamed(known, name);
      const revoked = await revoke(server, key);
      const { [name]: _, ...profiles } = known.profiles;
      writeProfiles({ current: known.current === name ? null : known.current, profiles });
      if (json) printJson({ profile: name, revoked });
      else
        note(
          revoked
            ? `Signed out of ${clean(server)}: revoked the key and deleted the profile ${name}.`
            : `Deleted the profile ${name}. Its API key is still valid, because it cannot revoke itself. Revoke the key at ${clean(server)}/dashboard/keys.`,
        );
    });
}

/** Revokes a key. @returns true if the key is revoked */
async function revoke(server: string, key: string): Promise<boolean> {
  const client = createClient({ baseUrl: server, apiKey: key });
  try {
    await client.revokeKey((await client.me()).key.id);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 401;
  }
}
