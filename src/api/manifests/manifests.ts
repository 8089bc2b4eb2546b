import type { BodyOf } from '../../contract/endpoint.ts';
import type { ShownValue } from '../../contract/links/history.ts';
import type { manifestEndpoints } from '../../contract/manifests/manifests.ts';
import { choosesExpiry } from '../../model/accounts/plans.ts';
import { bulkRefused } from '../../model/links/bulk.ts';
import { codeKey } from '../../model/links/codes/codes.ts';
import { findLinks } from '../../model/links/find-links.ts';
import { apiValueOf } from '../../model/links/link-field-values.ts';
import {
  type CodeHolder,
  findDrift,
  type PlannedLink,
  type RefusedLink,
} from '../../model/manifests/manifests.ts';
import {
  createPlan,
  type DesiredLink,
  type ManifestState,
  type Plan,
  type PlannedChange,
} from '../../model/manifests/plan.ts';
import { type ApiContext, type Call, callerOf, type Handlers } from '../request/handler.ts';
import { readDesiredLinks } from './desired-links.ts';

/** Maximum number of links per storage query. `codesAtOnce` is the maximum number of codes. */
const linksAtOnce = 400;
const codesAtOnce = 200;

type Planned = Pick<Call<typeof manifestEndpoints.planManifest>, 'context' | 'key' | 'params'> & {
  readonly body: BodyOf<typeof manifestEndpoints.planManifest>;
};

/** Returns the plan for a manifest, the live links that it manages, and its links that are rejected. */
async function planned({ context, key, params: { name }, body }: Planned) {
  const { wanted, refused } = await readDesiredLinks(context, callerOf(key), body.links);
  const state = await stateOf(context, key.accountId, name, wanted);
  const plan = createPlan(wanted, state, {
    name,
    absent: body.absent ?? 'keep',
    adopt: body.adopt === true,
    choosesExpiry: choosesExpiry(key.plan),
  });
  const all: RefusedLink[] = [...refused, ...plan.refused].sort((a, b) => a.at - b.at);
  return { plan, wanted, managed: state.managed, refused: all };
}

async function stateOf(
  context: ApiContext,
  accountId: number,
  name: string,
  wanted: readonly DesiredLink[],
): Promise<ManifestState> {
  const managed: PlannedLink[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof findLinks>> = await findLinks(context, accountId, {
      managedBy: name,
      limit: linksAtOnce,
      cursor,
    });
    managed.push(...page.links);
    cursor = page.nextCursor;
  }
  const byKey = new Map(managed.map((link) => [codeKey(link.space, link.code), link]));
  const asked = new Set(wanted.flatMap(({ key, movedFrom }) => [key, ...(movedFrom ? [movedFrom] : [])]));
  const keys = [...asked].filter((key) => !byKey.has(key));
  const holders = new Map<string, CodeHolder>();
  for (let at = 0; at < keys.length; at += codesAtOnce) {
    const found = await context.storage.codeHolders(accountId, keys.slice(at, at + codesAtOnce));
    for (const [key, holder] of found) {
      const link = await findPlannedLink(context, accountId, name, key, holder);
      if (link === undefined) holders.set(key, holder);
      else byKey.set(key, link);
    }
  }
  return { managed, byKey, holders };
}

/**
 * Returns the link that a plan refers to. Returns a deleted link, which the plan restores, only if the manifest managed
 * it.
 */
async function findPlannedLink(
  { storage }: ApiContext,
  accountId: number,
  name: string,
  key: string,
  holder: CodeHolder,
): Promise<PlannedLink | undefined> {
  if (holder.kind === 'live') return (await storage.link(accountId, holder.id))?.link;
  if (holder.kind !== 'gone' || holder.managedBy !== name) return undefined;
  return (await storage.deletedLinkByCode(accountId, key))?.link;
}

const sentNames: Readonly<Record<string, string>> = { destination: 'url', code: 'customCode' };

function shownChange(context: ApiContext, { action, link, wanted, fields }: PlannedChange) {
  const changes = Object.entries(fields).map(([name, { from, to }]) => [
    sentNames[name] ?? name,
    { from: apiValueOf(name, from) as ShownValue, to: apiValueOf(name, to) as ShownValue },
  ]);
  const host = wanted === undefined ? link?.host : wanted.link.domain?.host;
  return {
    action,
    id: link?.id ?? null,
    customCode: wanted?.link.codes[0] ?? link?.code ?? '',
    domain: host ?? context.sharedHost(),
    index: wanted?.at ?? null,
    changes: Object.fromEntries(changes),
  };
}

function seenOf({ seen }: Plan) {
  return seen.map(({ id, revision }) => ({ id, revision }));
}

export const manifestHandlers: Handlers<typeof manifestEndpoints> = {
  planManifest: {
    async run(call) {
      const { plan, refused } = await planned(call);
      if (refused.length > 0) throw bulkRefused(refused, call.body.links.length, 'links');
      const changes = plan.changes.map((change) => shownChange(call.context, change));
      return { success: true, data: { changes, counts: plan.counts, seen: seenOf(plan) } };
    },
  },

  applyManifest: {
    async run(call) {
      const { context, key, params, body } = call;
      const { plan, managed, refused } = await planned(call);
      // Detects conflicts inside the transaction, so that a retry with an `Idempotency-Key` gets the first response.
      const counts = await context.writes.applyManifest(key.accountId, {
        name: params.name,
        managed: managed.map(({ id, revision }) => ({ id, revision })),
        // Skips the drift check if links were rejected: they are missing from the plan and would look like drift.
        drifted: refused.length > 0 ? [] : findDrift(body.seen, plan.seen),
        refused,
        writes: plan.writes,
        counts: plan.counts,
        maxDeletes: body.maxDeletes ?? 0,
        now: context.now(),
      });
      return { success: true, data: counts };
    },
  },
};
