import { apiPrefix } from '../contract/endpoint.ts';
import type { domainEndpoints } from '../contract/links/domains.ts';
import { requireRecentAuth } from '../model/accounts/authority.ts';
import { allowsSharedDomain } from '../model/accounts/key-restrictions.ts';
import type { ApiKey } from '../model/accounts/keys.ts';
import type { CertificateState } from '../model/certificates.ts';
import {
  type AppFiles,
  type Domain,
  type DomainChange,
  type DomainSettings,
  sharedDomainId,
} from '../model/domains/domains.ts';
import { unicodeOf } from '../model/domains/hosts.ts';
import * as domains from '../model/domains/own-domains.ts';
import { recordsOf } from '../model/domains/records.ts';
import type { Problem } from '../model/failures.ts';
import { formatOptionalTime, formatTimestamp } from '../model/timestamps.ts';
import { reachabilityOf, reachabilityProblem } from './reachability.ts';
import type { ApiContext, Handlers } from './request/handler.ts';
import { locationOf, urlProblem } from './rules/link-problems.ts';

type Include = readonly string[] | undefined;

/** Domain details that responses contain only with `include`. */
interface More {
  readonly certificates?: ReadonlyMap<string, CertificateState>;
  readonly files?: ReadonlyMap<string, AppFiles>;
}

async function readMore({ storage }: ApiContext, accountId: number, include: Include = []): Promise<More> {
  const states = include.includes('certificate') ? await storage.certificatesOf(accountId) : undefined;
  const files = include.includes('associationFiles') ? await storage.appFilesOf(accountId) : undefined;
  return {
    ...(states !== undefined && { certificates: new Map(states.map((state) => [state.host, state])) }),
    ...(files !== undefined && { files }),
  };
}

function certificateIn(states: ReadonlyMap<string, CertificateState>, host: string) {
  const state = states.get(host);
  if (state === undefined) return null;
  const { expiresAt, problem, dueAt } = state;
  return { validUntil: formatOptionalTime(expiresAt), problem, nextTryAt: formatTimestamp(dueAt) };
}

function filesIn(files: ReadonlyMap<string, AppFiles>, id: string) {
  const { appleAppSiteAssociation = null, assetLinks = null } = files.get(id) ?? {};
  return {
    appleAppSiteAssociation: appleAppSiteAssociation === null ? null : JSON.parse(appleAppSiteAssociation),
    assetLinks: assetLinks === null ? null : JSON.parse(assetLinks),
  };
}

function shown(context: ApiContext, key: ApiKey, domain: Domain, { certificates, files }: More = {}) {
  const { id, host, status, codes, rootUrl, unknownUrl, expiredUrl, indexed, golinks, found } = domain;
  const records = recordsOf(domain, context.sharedHost());
  return {
    id,
    host,
    hostUnicode: unicodeOf(host),
    status,
    isDefault: key.restrictions === undefined ? domain.isDefault : domain.space === key.domain?.space,
    isShared: false,
    codes,
    rootUrl,
    unknownUrl,
    expiredUrl,
    indexed,
    golinks,
    linkCount: domain.linkCount,
    createdAt: formatOptionalTime(domain.createdAt),
    verifiedAt: formatOptionalTime(domain.verifiedAt),
    checkedAt: formatOptionalTime(domain.checkedAt),
    problem: found.problem ?? (found.traffic ? null : reachabilityProblem(records)),
    records: records.map((record) => {
      const { others = [], fault = null } = found.seen?.[record.purpose] ?? {};
      const reachable = reachabilityOf(record);
      return {
        ...record,
        found: found[record.purpose],
        others: [...others],
        fault,
        ...(reachable !== undefined && { reachable }),
      };
    }),
    ...(certificates !== undefined && { certificate: certificateIn(certificates, host) }),
    ...(files !== undefined && filesIn(files, id)),
  };
}

/** Returns the API representation of the shared domain for an account. @param own the account's own domains */
async function sharedOf(
  context: ApiContext,
  key: ApiKey,
  own: readonly Domain[],
): Promise<ReturnType<typeof shown>> {
  const host = context.sharedHost();
  const { links } = await context.storage.usage(key.accountId);
  const elsewhere = own.reduce((sum, { linkCount }) => sum + linkCount, 0);
  return {
    id: sharedDomainId,
    host,
    hostUnicode: unicodeOf(host),
    status: 'active',
    isDefault: key.domain === undefined,
    isShared: true,
    codes: 'folded',
    rootUrl: null,
    unknownUrl: null,
    expiredUrl: null,
    indexed: true,
    golinks: false,
    linkCount: links - elsewhere,
    createdAt: null,
    verifiedAt: null,
    checkedAt: null,
    problem: null,
    records: [],
  };
}

const urls = ['rootUrl', 'unknownUrl', 'expiredUrl'] as const;
type DomainSettingsInput = { readonly [N in keyof DomainSettings]?: DomainSettings[N] | undefined } & {
  readonly [N in keyof AppFiles]?: unknown;
};

/** Returns an app-association file in its stored form, as a JSON string. */
function fileOf(sent: unknown): string | null {
  return sent === null ? null : JSON.stringify(sent);
}

function urlProblems(context: ApiContext, body: DomainSettingsInput): Problem[] {
  return urls.flatMap((name) => {
    const url = body[name];
    return url == null ? [] : (urlProblem(context, name, url) ?? []);
  });
}

/** Returns the settings from the body, with URLs encoded for the `Location` header. */
function settingsIn(
  context: ApiContext,
  { codes, isDefault, indexed, golinks, appleAppSiteAssociation, assetLinks, ...body }: DomainSettingsInput,
): DomainChange {
  const locations = urls.flatMap((name) =>
    body[name] === undefined ? [] : [[name, locationOf(context, body[name])] as const],
  );
  return {
    ...Object.fromEntries(locations),
    ...(codes !== undefined && { codes }),
    ...(isDefault !== undefined && { isDefault }),
    ...(indexed !== undefined && { indexed }),
    ...(golinks !== undefined && { golinks }),
    ...(appleAppSiteAssociation !== undefined && {
      appleAppSiteAssociation: fileOf(appleAppSiteAssociation),
    }),
    ...(assetLinks !== undefined && { assetLinks: fileOf(assetLinks) }),
  };
}

export const domainHandlers: Handlers<typeof domainEndpoints> = {
  listDomains: {
    async run({ context, key, query }) {
      const own = await context.storage.domains(key.accountId);
      const more = await readMore(context, key.accountId, query.include);
      const shared = allowsSharedDomain(key.restrictions) ? [await sharedOf(context, key, own)] : [];
      const all = [...shared, ...own.map((domain) => shown(context, key, domain, more))];
      return { success: true, data: all.toSorted((a, b) => (a.host < b.host ? -1 : 1)) };
    },
  },

  createDomain: {
    rules: ({ context, body }) => [...domains.hostProblems(body.host), ...urlProblems(context, body)],
    async run({ context, key, body }) {
      const { host } = body;
      const draft = { ...settingsIn(context, body), host };
      const made = await domains.createDomain(context, key.accountId, draft);
      return { success: true, data: shown(context, key, made) };
    },
    location: (body) => `${apiPrefix}/domains/${body.data.id}`,
  },

  getDomain: {
    async run({ context, key, params, query }) {
      if (params.id === sharedDomainId && allowsSharedDomain(key.restrictions)) {
        const own = await context.storage.domains(key.accountId);
        return { success: true, data: await sharedOf(context, key, own) };
      }
      const found = await domains.getDomain(context, key.accountId, params.id);
      const more = await readMore(context, key.accountId, query.include);
      return { success: true, data: shown(context, key, found, more) };
    },
  },

  updateDomain: {
    rules: ({ context, body }) => urlProblems(context, body),
    async run({ context, key, params, body }) {
      const change = settingsIn(context, body);
      const changed = await context.writes.updateDomain(key.accountId, params.id, change);
      return { success: true, data: shown(context, key, changed) };
    },
  },

  deleteDomain: {
    async run({ context, key, actor, params }) {
      requireRecentAuth(actor, context.now());
      await context.writes.deleteDomain(key.accountId, params.id, context.now());
    },
  },

  verifyDomain: {
    async run({ context, key, params }) {
      const domain = await domains.getDomain(context, key.accountId, params.id);
      return { success: true, data: shown(context, key, await domains.verifyDomain(context, domain)) };
    },
  },
};
