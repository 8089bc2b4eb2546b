import { type dashboardEndpoints, maxPreferences } from '../contract/accounts/dashboard.ts';
import { restrictedKeyFailure } from '../model/accounts/key-restrictions.ts';
import type { ApiKey } from '../model/accounts/keys.ts';
import { type Problem, problem, refused } from '../model/failures.ts';
import { checkCode, freeCodes } from '../model/links/codes/code-checks.ts';
import { codeProblemsOn, domainFor } from '../model/links/domains.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import { callerOf, type Handlers } from './request/handler.ts';

function sizeProblems(values: Readonly<Record<string, string>> = {}): Problem[] {
  const length = Object.entries(values).reduce((sum, [name, text]) => sum + name.length + text.length, 0);
  if (length <= maxPreferences) return [];
  const message = `values must be at most ${maxPreferences} characters in total.`;
  return [problem('values', 'too_long', message)];
}

/** Returns the ID of the acting member, because dashboard preferences are personal. */
function actingMemberId({ member }: ApiKey): string | undefined {
  return member?.isSelf ? member.id : undefined;
}

/**
 * Returns true for a restricted key without a member. Such a key must not read the account's preferences, which may
 * name records hidden from the key.
 */
function hasNoPreferences(key: ApiKey): boolean {
  return key.restrictions !== undefined && actingMemberId(key) === undefined;
}

export const dashboardHandlers: Handlers<typeof dashboardEndpoints> = {
  checkCode: {
    async run({ context, key, query }) {
      const space = (await domainFor(context, callerOf(key), query.domain))?.space ?? '';
      const problems = codeProblemsOn(space, query, context);
      if (problems.length > 0) throw refused(problems);
      if (query.customCode === undefined) {
        const suggestions = await freeCodes(context, key.accountId, space);
        return { success: true, data: { status: 'free', linkId: null, suggestions } };
      }
      const { state, linkId, suggestions } = await checkCode(context, key.accountId, space, query.customCode);
      return { success: true, data: { status: state, linkId, suggestions: [...suggestions] } };
    },
  },

  getPreferences: {
    async run({ context, key }) {
      const kept = hasNoPreferences(key)
        ? undefined
        : await context.storage.preferences(key.accountId, actingMemberId(key));
      const updatedAt = kept === undefined ? null : formatTimestamp(kept.updatedAt);
      return { success: true, data: { values: JSON.parse(kept?.value ?? '{}'), updatedAt } };
    },
  },

  putPreferences: {
    rules: ({ body }) => sizeProblems(body.values),
    async run({ context, key, body }) {
      if (hasNoPreferences(key)) throw restrictedKeyFailure();
      const now = context.now();
      await context.writes.putPreferences(
        key.accountId,
        JSON.stringify(body.values),
        now,
        actingMemberId(key),
      );
      return { success: true, data: { values: body.values, updatedAt: formatTimestamp(now) } };
    },
  },
};
