import type { Plan } from '../../model/accounts/plans.ts';
import type { Role } from '../../model/accounts/roles.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { exits, Stop } from '../terminal/exits.ts';
import { noSuchAccount } from './account-names.ts';
import { type RestrictionOptions, restrictionsIn } from './key-restrictions.ts';

export interface LocalInvitation extends RestrictionOptions {
  readonly account: string;
  readonly role: Role;
  readonly plan: Plan;
  readonly email?: string;
  readonly json?: true;
}

/** Invites a person to an account, directly in the local database and without a key. */
export async function inviteLocally({ account, role, plan, email, json, ...bound }: LocalInvitation) {
  const { runningDashboardUrl } = await import('../../app/announce.ts');
  const { restrictedRoleProblems, emailProblems, invite } = await import('../../model/accounts/members.ts');
  const { withTools } = await import('../terminal/local.ts');
  const [problem] = emailProblems(email);
  if (problem !== undefined) throw new Stop(exits.usage, problem.message.replace('email', '--email'));
  const [wrong] = restrictedRoleProblems(role, { domains: bound.domain, folders: bound.folder });
  if (wrong !== undefined) throw new Stop(exits.usage, wrong.message);
  return withTools({ json }, async ({ storage, now, randomBytes }, config) => {
    if (!config.DASHBOARD) throw new Stop(exits.refused, 'The dashboard is disabled: DASHBOARD=0.');
    const found = (await storage.accounts()).find(({ name }) => name === account);
    if (found === undefined) throw await noSuchAccount(storage, account);
    const context = { writes: storage, now, randomBytes };
    const { token, invitation } = await invite(
      context,
      { accountId: found.id, plan },
      {
        role,
        email,
        bounds: restrictionsIn(config, bound),
      },
    );
    const { id, expiresAt } = invitation;
    const url = `${runningDashboardUrl(config)}/join#${token}`;
    return { id, account, role, email: email ?? null, expiresAt: formatTimestamp(expiresAt), url };
  });
}
