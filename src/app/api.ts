import { type ApiOptions, createApi } from '../api/api.ts';
import { createEventHub, type EventHub } from '../api/events/hub.ts';
import { createDocumentation } from '../api/reference/documentation.ts';
import { isAnonymous } from '../api/request/authenticate.ts';
import type { ApiContext } from '../api/request/handler.ts';
import { createInProgress } from '../api/request/idempotency.ts';
import { type ApiStats, createApiStats } from '../api/request/stats.ts';
import { createExports } from '../api/tables/exports.ts';
import { bodyOf, clickedBody, clickText } from '../api/webhooks.ts';
import { mountCompatible } from '../compatible/mount.ts';
import { withMovedKeys } from '../compatible/services.ts';
import type { Config } from '../config.ts';
import type { Hosts } from '../external/certificates/certificates.ts';
import type { Encryption } from '../external/certificates/encryption.ts';
import { createMailer } from '../external/mail/mailer.ts';
import { createProvider } from '../external/oidc/provider.ts';
import { ceremonies } from '../external/passkeys/passkeys.ts';
import { tooMany } from '../model/accounts/limits.ts';
import { createGeneratedCodeLength } from '../model/links/codes/codes.ts';
import type { DestinationRules } from '../model/links/destinations/destinations.ts';
import { createPasswords } from '../model/links/passwords.ts';
import { createStamps } from '../model/stamps.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import { createSerial } from '../runtime/serial.ts';
import { type Admission, createAdmission } from '../server/admission.ts';
import type { Listener } from '../server/listener.ts';
import { idempotencyLifetimeMs } from '../storage/statements/idempotency.ts';
import type { Logger } from '../telemetry/log.ts';
import { type Limits, usesLifetimeMs } from './background/limits.ts';
import type { WebhookBodies } from './background/webhooks.ts';
import { createFaultLog } from './fault-log.ts';

/** Dependencies passed unchanged to the endpoints' context. */
type SharedContext = Pick<
  ApiContext,
  | 'storage'
  | 'now'
  | 'randomBytes'
  | 'unapplied'
  | 'baseUrl'
  | 'sharedHost'
  | 'dashboardUrl'
  | 'excludedBrowsers'
  | 'checkRecords'
  | 'readFacts'
>;

export interface MountOptions
  extends SharedContext,
    Pick<ApiOptions, 'addressOf' | 'newRequestId' | 'tracing'> {
  readonly config: Config;
  readonly listener: Listener;
  readonly limits: Limits;
  readonly log: Logger;
  /** Sends the pending redirects immediately, so that visitors do not wait for API work. */
  readonly writeNow: () => void;
  readonly hosts: Hosts;
  readonly destinationRules: DestinationRules;
  /** Encrypts secrets that only this installation may read. */
  readonly encryption: Encryption;
  /** Milliseconds between upkeep runs. */
  readonly upkeepEveryMs?: number | undefined;
}

export interface MountedApi {
  readonly stats: ApiStats;
  readonly admission: Admission;
  /** Event streams. Close them before the listener, which waits until their connections are closed. */
  readonly eventHub: Pick<EventHub, 'clients' | 'close'>;
  /** Creates webhook payloads. */
  readonly bodies: WebhookBodies;
  /** Aborts running exports, because they may take longer than the shutdown timeout. */
  abortExports(): void;
  /** Saves the last-used times of keys and sessions. Call it once all requests are handled. */
  close(): Promise<void>;
}

const upkeepMs = 60_000;
/** Maximum number of idempotency keys removed per transaction. */
const maxKeysPerDelete = 500;

/** Creates the API with its admission control, and mounts it on the listener. */
export async function mountApi(options: MountOptions): Promise<MountedApi> {
  const { config, storage, listener, limits, now, randomBytes, log, newRequestId } = options;
  const keyUses = new Map<string, number>();
  const sessionUses = new Map<string, number>();
  const stats = createApiStats();
  const { addressOf } = options;
  const anonymous = { failures: limits.failures, failureLimit: config.AUTH_FAILURE_LIMIT, addressOf };
  const eventHub = createEventHub({
    storage,
    now,
    randomBytes,
    onError: (sentence, facts = {}) => log.error(facts, sentence),
  });
  const exports = createExports();
  const context = await contextOf(options, { eventHub, exports });
  const api = createApi({
    context,
    stats,
    tracing: options.tracing,
    requests: limits.requests,
    ...anonymous,
    used({ key, session }) {
      keyUses.set(key.id, now());
      if (session !== undefined) sessionUses.set(session.id, now());
    },
    newRequestId,
    documentation: createDocumentation(config.API_DOCS),
    assistants: config.MCP,
    mountAlso: (fastify, inner) => mountCompatible(fastify, inner, config.COMPATIBLE),
    log: {
      answered: (entry) => log.info(entry, 'answered'),
      fault: createFaultLog(log),
    },
  });
  await api.ready();
  const admission = createAdmission({
    serve: api.routing,
    isAnonymous: (request) => isAnonymous(anonymous, request),
    writesInStorage: storage.waitingWrites,
    beforeSlice: options.writeNow,
    newRequestId,
    onOverload: (sentence, facts) => log.warn(facts, sentence),
  });
  listener.mountApi(withMovedKeys(config.COMPATIBLE, admission.admit));

  const upkeep = createUpkeep(options, { keys: keyUses, sessions: sessionUses });

  return {
    stats,
    admission,
    eventHub,
    bodies: { bodyOf: (event) => bodyOf(context, event), clickText, clickedBody },
    abortExports: exports.end,
    close: upkeep.close,
  };
}

/** Creates the context for the endpoints. */
async function contextOf(
  options: MountOptions,
  parts: Pick<ApiContext, 'eventHub' | 'exports'>,
): Promise<ApiContext> {
  const { config, storage, now, randomBytes, log } = options;
  const onClockBehind = (until: number): void =>
    log.warn(
      { until: formatTimestamp(until) },
      'This machine’s clock is behind the date of the newest link or folder. New links and folders get that date until the clock has caught up.',
    );
  return {
    ...parts,
    storage,
    writes: storage,
    now,
    stamp: createStamps({ now, randomBytes, newest: await storage.newest(), onClockBehind }),
    randomBytes,
    // Sign-ins get their own password checker, so that visitors who open protected links cannot delay sign-ins.
    passwords: createPasswords(randomBytes),
    unapplied: options.unapplied,
    destinations: options.destinationRules,
    codeCharacters: config.CODE_CHARACTERS,
    codeSegments: config.CODE_SEGMENTS,
    generatedLength: createGeneratedCodeLength(),
    linkQuotas: config.LINK_QUOTAS,
    folderLimit: config.FOLDER_LIMIT,
    statisticsDays: config.STATISTICS_DAYS ?? undefined,
    tagLimit: config.TAG_LIMIT,
    domainLimit: config.DOMAIN_LIMIT,
    sharedHost: options.sharedHost,
    isOwnHost: (host) => options.hosts.own().includes(host),
    checkRecords: options.checkRecords,
    encrypt: options.encryption.encrypt,
    baseUrl: options.baseUrl,
    dashboardUrl: options.dashboardUrl,
    excludedBrowsers: options.excludedBrowsers,
    ceremonies,
    attempts: attemptsOf(options),
    provider: providerOf(options),
    mailer: mailerOf(options),
    requestsPerMinute: ({ plan }) => config.RATE_LIMITS[plan],
    exclusively: createInProgress(),
    inOrder: createSerial(),
    readFacts: options.readFacts,
  };
}

/** Limits failed sign-ins per user, across all IP addresses. */
function attemptsOf({ config, limits: { failures }, now }: MountOptions): ApiContext['attempts'] {
  const limit = config.AUTH_FAILURE_LIMIT;
  return {
    require(who) {
      const allowance = failures.peek(who, limit);
      if (allowance.exceeded) throw tooMany(allowance, now(), 'Too many failed attempts for this person.');
    },
    failed(who) {
      if (limit > 0) failures.take(who, limit);
    },
  };
}

/** Creates the OpenID Connect provider from the settings. */
function providerOf({ config, now, log }: MountOptions) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  if (issuer === null || clientId === null) return undefined;
  return createProvider({
    issuer,
    clientId,
    now,
    clientSecret: config.OIDC_CLIENT_SECRET,
    name: config.OIDC_NAME,
    isOnly: config.OIDC_ONLY,
    scopes: config.OIDC_SCOPES,
    groups: config.OIDC_GROUPS,
    groupsClaim: config.OIDC_GROUPS_CLAIM,
    allowed: config.OUTBOUND_ALLOW,
    onRefused: (reason) => log.warn({ reason, issuer }, 'single sign-on failed'),
  });
}

/** Maximum number of emails per account per minute. The limit keeps the server from being used to send spam. */
const emailsPerMinute = 10;

/** Creates the mailer from the settings. */
function mailerOf({ config: { SMTP_URL: url, MAIL_FROM: from }, limits, log }: MountOptions) {
  if (url === null || from === null) return undefined;
  return createMailer({
    url,
    from,
    // Key ids contain no spaces, so this limiter name for emails cannot match a key id.
    isAllowed: (accountId) => !limits.requests.take(`emails ${accountId}`, emailsPerMinute).exceeded,
    onFailed: (reason) =>
      log.warn({ reason }, 'Could not send an email. Linkfold does not retry: send the link another way.'),
  });
}

/** Last-used times of keys and sessions by id, in ms since the epoch. */
type Uses = Readonly<Record<'keys' | 'sessions', Map<string, number>>>;

/**
 * Creates the upkeep task: once a minute, it saves last-used times and deletes expired request data, such as
 * idempotency keys.
 */
function createUpkeep({ storage, now, log, upkeepEveryMs }: MountOptions, uses: Uses) {
  const taken = (from: Map<string, number>) => {
    const used = [...from].map(([id, at]) => ({ id, at }));
    from.clear();
    return used;
  };
  const saveUses = async (): Promise<void> => {
    const [ofKeys, ofSessions] = [taken(uses.keys), taken(uses.sessions)];
    if (ofKeys.length > 0) await storage.touchKeys(ofKeys);
    if (ofSessions.length > 0) await storage.touchSessions(ofSessions);
  };
  const runUpkeep = async (): Promise<void> => {
    await saveUses();
    const forgotten = now() - idempotencyLifetimeMs;
    while (await storage.hasWork('deleteOldIdempotencyKeys', forgotten))
      await storage.deleteOldIdempotencyKeys(forgotten, maxKeysPerDelete);
    const past = now() - usesLifetimeMs;
    if (await storage.hasWork('deleteOldUses', past)) await storage.deleteOldUses(past);
    if (await storage.hasWork('deleteExpiredSessions', now())) await storage.deleteExpiredSessions(now());
  };
  const timer = setInterval(() => {
    runUpkeep().catch((error) =>
      log.warn(
        { err: error },
        'Could not save last-used times, or delete expired sessions and request data. Linkfold will retry in a minute.',
      ),
    );
  }, upkeepEveryMs ?? upkeepMs);
  timer.unref();
  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await saveUses().catch((error) =>
        log.warn(
          { err: error },
          'Could not save when keys and sessions were last used. The times of the last minute are lost.',
        ),
      );
    },
  };
}
