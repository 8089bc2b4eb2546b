import type { Command } from 'commander';
import { ApiError, createClient } from '../../client/client.ts';
import { addCommand, jsonOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { clean, note, sayJson } from '../terminal/print.ts';
import { profileNamed, readProfiles, writeProfiles } from '../terminal/profiles.ts';

/** Adds the command that ends what `login` began. */
export function addLogout(program: Command): void {
  addCommand(program, 'logout', 'Revoke the key of a profile, and forget it', {
    examples: [
      ['linkfold logout', 'the profile in use'],
      ['linkfold logout work', 'another one'],
    ],
    notes:
      'A key without keys:write cannot revoke itself: it is forgotten here, and ends by itself or is revoked under Keys in the dashboard.',
    refused: 'there is no such profile',
    reaches: 'server',
  })
    .argument('[profile]', 'name of a profile (default: the one in use)')
    .option(...jsonOption)
    .action(async (given: string | undefined, { json }: { readonly json?: true }) => {
      const known = readProfiles();
      const name = given ?? (process.env['LINKFOLD_PROFILE'] || known.current);
      if (name === null)
        throw new Stop(exits.refused, 'No profile is in use. Name one: linkfold profiles list');
      const { server, key } = profileNamed(known, name);
      const revoked = await revoke(server, key);
      const { [name]: _, ...profiles } = known.profiles;
      writeProfiles({ current: known.current === name ? null : known.current, profiles });
      if (json) sayJson({ profile: name, revoked });
      else
        note(
          revoked
            ? `Signed out of ${clean(server)}: the key of ${name} is revoked.`
            : `Forgot ${name}. Its key may not revoke itself: do that under Keys at ${clean(server)}/dashboard/keys.`,
        );
    });
}

/** @returns whether the key works no more */
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
