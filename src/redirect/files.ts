import { Refusal } from '../contract/envelope.ts';
import { appFileNames } from '../model/domains/domains.ts';
import type { Reads } from '../model/storage.ts';
import type { ExcludedVisits } from './excluded-visits.ts';
import { openSearchDescription } from './golinks.ts';
import type { Outcomes } from './outcomes.ts';
import { pageHeaders } from './pages/layout.ts';
import { icon } from './pages/mark.ts';
import { notFoundPage, rootPage } from './pages/pages.ts';
import { wellKnownIn } from './path.ts';
import { type Fail, sendPage } from './send.ts';
import type { Visit } from './visit.ts';

type Headers = Readonly<Record<string, string>>;

/** Default content of robots.txt. `noRobots` is the content for domains that must not be indexed. */
const robots = 'User-agent: *\nDisallow: /api/\n';
const noRobots = 'User-agent: *\nDisallow: /\n';
const { vary: _, ...plainHeaders } = pageHeaders;
const robotsHeaders: Headers = { ...plainHeaders, 'content-type': 'text/plain; charset=utf-8' };

/** Headers for /favicon.ico, which browsers request automatically for responses other than HTML, such as JSON. */
const iconHeaders: Headers = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
};

/**
 * Headers for app-association files. Mobile operating systems fetch these files rarely, and require this media type.
 */
const fileHeaders: Headers = {
  ...iconHeaders,
  'content-type': 'application/json',
  'cache-control': 'public, max-age=3600',
};

const searchHeaders: Headers = { ...fileHeaders, 'content-type': 'application/opensearchdescription+xml' };

export interface FilesOptions {
  /** Redirect target for `/`. If undefined, `/` shows a page that describes the server. */
  readonly rootRedirect?: string | undefined;
  /** Whether the page at `/` links to the API reference. */
  readonly hasReference?: boolean;
  /** JSON files below `/.well-known/`, by name. The value is null if the file is not configured. */
  readonly wellKnown?: Readonly<Record<string, string | null>>;
  readonly storage: Pick<Reads, 'appFile'>;
  /** Returns the shared domain's base URL, including its path if any, without a trailing slash. */
  readonly baseUrl: () => string;
}

interface FilesParts extends Pick<ExcludedVisits, 'answerMark'> {
  readonly outcomes: Outcomes;
  readonly fail: Fail;
}

/** Handles public paths that are not short codes. */
export interface Files {
  root(visit: Visit): void;
  robots(visit: Visit): void;
  icon(visit: Visit): void;
  /** Serves the OpenSearch description of a golinks domain. */
  openSearch(visit: Visit, host: string): void;
  /** Serves the app-association files, if configured. Responds to any other path with 404. */
  other(visit: Visit): void;
}

export function createFiles(
  { rootRedirect, hasReference, wellKnown = {}, storage, baseUrl }: FilesOptions,
  { outcomes, fail, answerMark }: FilesParts,
): Files {
  const send = (visit: Visit, headers: Headers, file: string): void => {
    outcomes.page += 1;
    visit.send(200, headers, file);
  };
  /** Sends an app-association file. @param file content for the requested host */
  const answerFile = (visit: Visit, file: unknown): void => {
    if (typeof file !== 'string') {
      const refusal = new Refusal('ROUTE_NOT_FOUND', 'Path not found.');
      return fail(visit, refusal, { page: (t) => notFoundPage(t) });
    }
    if (visit.method !== 'GET' && visit.method !== 'HEAD') return fail(visit, methodNotAllowed());
    send(visit, fileHeaders, file);
  };
  return {
    root(visit) {
      outcomes.page += 1;
      const leads = visit.domain === undefined ? rootRedirect : visit.domain.rootUrl;
      if (leads != null) return visit.sendTo(leads);
      sendPage(visit, (t) => rootPage(t, visit.domain === undefined && hasReference));
    },
    robots: (visit) => send(visit, robotsHeaders, visit.domain?.indexed === false ? noRobots : robots),
    icon: (visit) => send(visit, iconHeaders, icon),
    openSearch: (visit, host) => send(visit, searchHeaders, openSearchDescription(host, baseUrl())),
    other(visit) {
      if (answerMark(visit)) return;
      const name = wellKnownIn(visit.target);
      const { domain } = visit;
      if (domain === undefined) return answerFile(visit, wellKnown[name]);
      const isFile = domain.hasAppFiles && Object.hasOwn(appFileNames, name);
      if (!isFile) return answerFile(visit, undefined);
      // Does not cache the file: mobile systems fetch it rarely, and requests for many domains would fill a cache.
      void (async () => storage.appFile(domain.host, appFileNames[name] ?? 'assetLinks'))().then(
        (file) => answerFile(visit, file),
        (error: unknown) => fail(visit, error),
      );
    },
  };
}

export function methodNotAllowed(): Refusal {
  return new Refusal('METHOD_NOT_ALLOWED', 'This path supports GET and HEAD only.', { allow: 'GET, HEAD' });
}
