import type { Journal } from '../clicks/journal/journal.ts';
import { firstSegments, serviceAt } from '../compatible/services.ts';
import type { Config } from '../config.ts';
import type { Hosts } from '../external/certificates/certificates.ts';
import type { ExcludedBrowsers } from '../model/accounts/excluded-browsers.ts';
import type { DestinationRules } from '../model/links/destinations/destinations.ts';
import { createPasswords } from '../model/links/passwords.ts';
import type { Storage } from '../model/storage.ts';
import { createOutcomes } from '../redirect/outcomes.ts';
import { createRedirect } from '../redirect/redirect.ts';
import type { VisitOptions } from '../redirect/visit.ts';
import type { Report } from '../runtime/report.ts';
import { createBelowPath } from '../server/below-path.ts';
import { createAddressOf, createClientOf } from '../server/client-address.ts';
import { fitConnections, guardConnections, maxOpenFiles } from '../server/connections.ts';
import { createCors } from '../server/cors.ts';
import { createDashboard } from '../server/dashboard/dashboard.ts';
import { createFastPath } from '../server/fast-path/fast-path.ts';
import { createHttpVisits } from '../server/http-visits.ts';
import { createListener, mounts } from '../server/listener.ts';
import { createTickLimit } from '../server/tick-limit.ts';
import { createTlsCheck } from '../server/tls/check.ts';
import type { openBackground } from './background.ts';
import { type Dependencies, newRequestId } from './dependencies.ts';
import type { Origin } from './origin.ts';
import { createReadiness } from './readiness.ts';

/**
 * Maximum number of redirects on a connection that has left the fast path. The connection is then closed, because it
 * would otherwise stay on the slow path.
 */
const slowRedirectsPerConnection = 32;
/**
 * Maximum number of visits served per tick of the event loop; serving them takes a few milliseconds. `othersPerTick`
 * limits all other requests.
 */
const visitsPerTick = 128;
const othersPerTick = 128;

interface PublicListenerParts extends Pick<ReturnType<typeof openBackground>, 'limits' | 'missed'> {
  readonly storage: Storage;
  readonly journal: Journal;
  readonly readFacts: VisitOptions['readFacts'];
  readonly origin: Origin;
  readonly hosts: Hosts;
  readonly excludedBrowsers: ExcludedBrowsers;
  readonly destinationRules: DestinationRules;
}

/** Creates the listener, which serves visits directly and passes all other requests to the API once it is mounted. */
export function createPublicListener(
  { config, now, randomBytes, onError, log, opened, overrides: { peers } }: Dependencies,
  parts: PublicListenerParts,
) {
  const { storage, journal, limits, missed, readFacts, origin, hosts } = parts;
  const clientOf = createClientOf(config.TRUST_PROXY);
  const outcomes = createOutcomes();
  const redirect = createRedirect({
    storage,
    journal,
    now,
    rootRedirect: config.ROOT_REDIRECT ?? undefined,
    unknownCodeRedirect: config.UNKNOWN_CODE_REDIRECT ?? undefined,
    servesOtherHosts: config.OTHER_HOSTS === 'shared',
    codeSegments: config.CODE_SEGMENTS,
    hasReference: config.API_DOCS,
    wellKnown: appFilesIn(config),
    codeMisses: limits.codeMisses,
    qrCodes: limits.qrCodes,
    excludedBrowsers: parts.excludedBrowsers,
    dashboardUrl: () => (config.DASHBOARD ? origin.dashboardUrl() : undefined),
    missLimit: config.CODE_MISS_LIMIT,
    gate: { passwords: createPasswords(randomBytes), ...limits },
    destinations: parts.destinationRules,
    newRequestId,
    baseUrl: origin.baseUrl,
    onFault: onError,
    onWarning: (sentence, facts) => log.warn(facts, sentence),
    outcomes,
    missed,
  });
  const visits = {
    redirect,
    readFacts,
    hostOf: origin.hostOf,
    clientOf,
    countryHeader: config.COUNTRY_HEADER ?? '',
    userHeader: config.USER_HEADER ?? '',
    referrerPolicy: config.REFERRER_POLICY ?? undefined,
  };
  const hasCors = config.CORS_ORIGINS.length > 0;
  const strictTransport = config.HSTS === 0 ? undefined : `max-age=${config.HSTS}`;
  const below = createBelowPath(config.BASE_URL, origin.hostOf);
  const listener = createListener({
    below,
    redirect: createHttpVisits(visits, config.FAST_REDIRECTS ? slowRedirectsPerConnection : undefined),
    isCompatible:
      config.COMPATIBLE.length > 0 ? (asked) => serviceAt(asked, config.COMPATIBLE) !== undefined : undefined,
    newRequestId,
    checkReady: createReadiness(storage, journal),
    tickLimit: createTickLimit(othersPerTick),
    assistants: config.MCP,
    dashboard: config.DASHBOARD ? createDashboard({ host: config.DASHBOARD_HOST ?? undefined }) : undefined,
    cors: hasCors ? createCors(config.CORS_ORIGINS) : undefined,
    strictTransport,
    tlsCheck: config.TLS_CHECK ? createTlsCheck(hosts.has) : undefined,
  });
  if (config.FAST_REDIRECTS) {
    listener.useFastPath((server) =>
      createFastPath(server, {
        ...visits,
        below,
        mounts: new Set([...mounts, ...firstSegments(config.COMPATIBLE)]),
        now,
        tickLimit: createTickLimit(visitsPerTick),
        leavesCrossOrigin: hasCors,
        strictTransport,
      }),
    );
  }
  const max = connectionsFor(config, peers?.count ?? 1, (sentence, facts) => log.warn(facts, sentence));
  const connections = guardConnections(listener.server, { max });
  opened.defer(() => listener.close());
  return { listener, connections, maxConnections: max, outcomes, addressOf: createAddressOf(clientOf) };
}

/** Returns the files that the shared domain serves under `/.well-known/`. */
function appFilesIn(config: Config): Readonly<Record<string, string | null>> {
  return {
    'apple-app-site-association': config.APPLE_APP_SITE_ASSOCIATION,
    'assetlinks.json': config.ASSET_LINKS,
  };
}

/**
 * Returns the maximum number of connections for this process: its share of `MAX_CONNECTIONS`, or less if the open-file
 * limit requires it.
 */
function connectionsFor(config: Config, processes: number, onWarning: Report): number {
  const share = Math.ceil(config.MAX_CONNECTIONS / processes);
  const ports = [config.PORT, config.HTTPS_PORT, config.HTTP_PORT].filter((port) => port !== null).length;
  const files = maxOpenFiles();
  const filesOfPort = files === undefined ? undefined : Math.floor(files / ports);
  return fitConnections(share, filesOfPort, onWarning);
}
