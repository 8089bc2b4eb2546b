import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { addGroup } from '../terminal/command.ts';
import { type Column, note, sayJson, sayTable, when } from '../terminal/print.ts';
import { addServerCommand, openClient, type RemoteOptions } from '../terminal/remote.ts';

type Invitation = Awaited<ReturnType<Client['listInvitations']>>[number];

const columns: readonly Column<Invitation>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'ROLE', of: ({ role }) => role },
  { title: 'EMAIL', of: ({ email }) => email ?? '', cut: true },
  { title: 'BY', of: ({ invitedBy }) => invitedBy ?? '', cut: true, spare: 1 },
  { title: 'ENDS', of: ({ expiresAt }) => when(Date.parse(expiresAt)) },
];

/** Adds the commands for invitations that wait; `linkfold people invite` makes one. */
export function addInvitations(program: Command): void {
  const invitations = addGroup(program, 'invitations', 'Invitations that wait, through a server');
  addServerCommand(invitations, 'list', 'List invitations, the newest first', {
    examples: [['linkfold invitations list', 'without their addresses, which are shown once']],
  }).action(async (options: RemoteOptions) => {
    const found = await (await openClient(options)).listInvitations();
    if (options.json) sayJson(found);
    else if (found.length === 0) note('Nobody is invited. Invite somebody with: linkfold people invite');
    else sayTable(found, columns);
  });

  addServerCommand(invitations, 'rm', 'Withdraw an invitation; its address stops at once', {
    examples: [['linkfold invitations rm 7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e61', 'by its id']],
    refused: 'there is no such invitation',
  })
    .argument('<id>', 'id of the invitation')
    .action(async (id: string, options: RemoteOptions) => {
      await (await openClient(options)).withdrawInvitation(id);
      if (options.json) sayJson({ withdrawn: [id] });
      else note('Withdrawn.');
    });
}
