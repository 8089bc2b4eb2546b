import type { Journal } from '../clicks/journal/journal.ts';
import type { Limiter } from '../model/accounts/limits.ts';
import type { MissedVisits } from '../model/clicks/missed-visits.ts';
import { longestExactCode, maxSegments, segmentsIn } from '../model/links/codes/codes.ts';
import type { DestinationRules } from '../model/links/destinations/destinations.ts';
import type { Reads, Writes } from '../model/storage.ts';
import type { Report } from '../runtime/report.ts';
import { type BrandReads, createBrands } from './brands.ts';
import { createByHost, hasExactCodes } from './domains.ts';
import { createExcludedVisits, type ExcludedVisitsOptions } from './excluded-visits.ts';
import { createFiles, type FilesOptions, methodNotAllowed } from './files.ts';
import { createFollow } from './follow.ts';
import type { GateOptions } from './gate.ts';
import { createFindCode } from './golinks.ts';
import { createForms, createLinks, repeatedMethods } from './links.ts';
import { createFindLongest } from './longest-code.ts';
import { createOtherHosts } from './other-hosts.ts';
import { createOutcomes, type Outcomes } from './outcomes.ts';
import { type Path, parsePath } from './path.ts';
import { createShowPreview } from './previews.ts';
import { createShowPublicQr } from './public-qr.ts';
import { createRefuse } from './refusals.ts';
import { createFail } from './send.ts';
import { createSpecialLinks } from './special-links.ts';
import { createFindWithoutStrayCharacters } from './stray-characters.ts';
import { createUnknownCodes, type UnknownCodesOptions } from './unknown-codes.ts';
import type { Redirect, Visit } from './visit.ts';

export interface RedirectOptions
  extends Omit<FilesOptions, 'storage'>,
    UnknownCodesOptions,
    ExcludedVisitsOptions {
  readonly storage: Pick<
    Reads,
    'appFile' | 'domainToken' | 'findGolink' | 'findHost' | 'findTarget' | 'preview' | 'hasClicksLeft'
  > &
    BrandReads &
    Pick<Writes, 'consumeClick'>;
  readonly journal: Pick<Journal, 'append'>;
  /** Rules for the URLs that templates expand to. */
  readonly destinations: DestinationRules;
  /** Rate-limits public QR codes per IP address. */
  readonly qrCodes: Limiter;
  readonly newRequestId: () => string;
  /** Whether requests for unknown hosts are served like requests for the shared domain. */
  readonly servesOtherHosts?: boolean;
  /**
   * Maximum number of segments in new codes. Codes with more segments are looked up too, because older links may have
   * them.
   */
  readonly codeSegments?: number;
  /** Settings for the password check. */
  readonly gate: Pick<GateOptions, 'passwords' | 'wrongByAddress' | 'wrongByLink'>;
  /** Receives server errors, for the log. */
  readonly onFault: Report;
  /** Receives warnings for the operator. */
  readonly onWarning?: Report;
  /** Counts requests by outcome. */
  readonly outcomes?: Outcomes;
  /** Counts not-found visits, for owners and the operator. */
  readonly missed?: Pick<MissedVisits, 'unknown' | 'link'>;
}

/**
 * Creates the handler for public paths (CONTRACT §6): short codes, previews, the root, robots.txt and the icon. A visit
 * to a live link needs no promise and no parsed headers. All clicks in a tick share one write.
 * @throws if `rootRedirect` or `unknownCodeRedirect` is not printable ASCII
 */
export function createRedirect(options: RedirectOptions): Redirect {
  checkPrintable(options.rootRedirect);
  checkPrintable(options.unknownCodeRedirect);
  const { storage, journal, now, codeSegments = 1, outcomes = createOutcomes(), missed } = options;
  const isAllowed = ({ domain }: Visit, code: string): boolean =>
    hasExactCodes(domain) || segmentsIn(code) <= codeSegments;
  const fail = createFail({ ...options, outcomes });
  const excluded = createExcludedVisits(options, missed, outcomes);
  const files = createFiles(options, { outcomes, fail, answerMark: excluded.answerMark });
  const unknown = createUnknownCodes(options, { outcomes, missed, fail });
  const brands = createBrands(storage, now);
  const follow = createFollow(journal, { outcomes, excluded, fail });
  const refuse = createRefuse({ brands, outcomes, missed, excluded, fail });
  const shared = { ...options, brandOf: brands.brandOf, outcomes, excluded, unknown, follow, refuse, fail };
  const showPreview = createShowPreview(shared);
  const answerSpecial = createSpecialLinks({ ...shared, showPreview });
  const findCode = createFindCode(storage);
  const parts = {
    ...shared,
    showPreview,
    answerSpecial,
    showPublicQr: createShowPublicQr(shared),
    findCode,
    findLongest: createFindLongest(findCode),
    lookAgain: createFindWithoutStrayCharacters(findCode),
    root: files.root,
    notFound: files.other,
    isAllowed,
  };
  const answerLink = createLinks(parts);
  const answerForm = createForms(parts);

  const answerOther = (visit: Visit, path: Path): void => {
    if (excluded.answerMark(visit)) return;
    if (repeatedMethods.has(visit.method) && path.kind !== 'root')
      void answerForm(visit, path.kind === 'unmatched' ? undefined : path);
    else if (path.kind === 'unmatched' || (path.kind === 'segments' && !isAllowed(visit, path.code)))
      files.other(visit);
    else fail(visit, methodNotAllowed());
  };
  const answer = (visit: Visit): void => {
    const path = parsePath(visit.target, hasExactCodes(visit.domain) ? longestExactCode : maxSegments);
    if (visit.method !== 'GET' && visit.method !== 'HEAD') {
      answerOther(visit, path);
    } else if (path.kind === 'root') {
      files.root(visit);
    } else if (path.kind === 'unmatched') {
      answerLink(visit, undefined);
    } else if (path.code === 'robots.txt') {
      files.robots(visit);
    } else if (path.code === 'favicon.ico') {
      files.icon(visit);
    } else if (path.code === 'opensearch.xml' && visit.domain?.golinks === true) {
      files.openSearch(visit, visit.domain.host);
    } else {
      answerLink(visit, path);
    }
  };
  const onOtherHost = createOtherHosts(storage, options.onWarning);
  return createByHost(options, { answer, unknown, onOtherHost, fail });
}

const printable = /^[\x21-\x7e]+$/;

function checkPrintable(location: string | undefined): void {
  if (location !== undefined && !printable.test(location))
    throw new Error(`Cannot redirect to ${location}: the URL is not printable ASCII.`);
}
