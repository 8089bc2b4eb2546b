import { firstSegment } from '../model/links/codes/codes.ts';
import type { Target } from '../model/links/link-records.ts';
import { hasForm, isSpecial, type SpecialLink } from './admission.ts';
import { couldBeCodeOn, hasExactCodes, keyOn } from './domains.ts';
import { methodNotAllowed } from './files.ts';
import type { FindCode } from './golinks.ts';
import type { FindLongest } from './longest-code.ts';
import type { RedirectParts } from './parts.ts';
import { type CodePath, isOnlySlashes } from './path.ts';
import type { ShowPreview } from './previews.ts';
import type { ShowPublicQr } from './public-qr.ts';
import type { AnswerSpecial } from './special-links.ts';
import type { FindWithoutStrayCharacters, SecondLookup } from './stray-characters.ts';
import type { Visit } from './visit.ts';

interface LinksOptions extends RedirectParts {
  readonly showPreview: ShowPreview;
  readonly answerSpecial: AnswerSpecial;
  readonly showPublicQr: ShowPublicQr;
  readonly findCode: FindCode;
  readonly findLongest: FindLongest;
  readonly lookAgain: FindWithoutStrayCharacters;
  readonly root: (visit: Visit) => void;
  /** Handles a path that is not public. */
  readonly notFound: (visit: Visit) => void;
  /** Returns true if codes may have as many segments as the given code. */
  readonly isAllowed: (visit: Visit, code: string) => boolean;
}

/**
 * Creates the handler for GET and HEAD requests to short codes. The handler looks up the link, and redirects directly
 * if the link has no special features. `path` is undefined if the request target cannot belong to a link.
 */
export function createLinks(options: LinksOptions): (visit: Visit, path: CodePath | undefined) => void {
  const { storage, now, follow, refuse, showPreview, answerSpecial, unknown, fail } = options;
  const { root, notFound, isAllowed, showPublicQr } = options;
  const lookUpVariants = createLookUpVariants(options);

  const answer = (visit: Visit, path: CodePath, target: Target | undefined): void => {
    if (target === undefined) return answerUnknown(visit, path);
    if (isSpecial(target)) return answerSpecial(visit, path, target);
    const at = now();
    if (target.expiresAt !== null && at >= target.expiresAt) return void refuse(visit, 'expired', target);
    if (path.preview) void showPreview(visit, path.code, target);
    else follow(visit, target, at);
  };

  /**
   * Handles an unknown code. For a code with more segments than the operator allows, the response is the page for
   * unknown paths, but the visit counts as a guess, because older links may have that many segments.
   */
  const refuseUnknown = (
    visit: Visit,
    kind: CodePath['kind'] | undefined,
    code: string | undefined,
    isGuess = code !== undefined,
  ): void => {
    if (code !== undefined && isAllowed(visit, code)) unknown.answer(visit, code);
    else if (visit.domain?.golinks === true && code !== undefined) unknown.answer(visit, firstSegment(code));
    else if (kind === 'code') unknown.answer(visit);
    else if (!isGuess || !unknown.isLimited(visit)) notFound(visit);
  };

  const answerUnknown = (visit: Visit, path: CodePath | undefined): void => {
    if (isOnlySlashes(visit.target)) return root(visit);
    const shown = showPublicQr(visit, path);
    if (shown === undefined) return answerNoCode(visit, path);
    shown
      .then((isAnswered) => {
        if (!isAnswered) answerNoCode(visit, path);
      })
      .catch((error: unknown) => fail(visit, error));
  };

  const answerNoCode = (visit: Visit, path: CodePath | undefined): void => {
    const code = path !== undefined && couldBeCodeOn(visit.domain, path.code) ? path.code : undefined;
    const second = lookUpVariants(visit, path, code);
    if (second === undefined) return refuseUnknown(visit, path?.kind, code);
    second
      .then(({ meant, code: likely }) => {
        if (meant === undefined) refuseUnknown(visit, path?.kind, code ?? likely, true);
        else answer(visit, meant.path, meant.target);
      })
      .catch((error: unknown) => fail(visit, error));
  };

  const lookUp = (visit: Visit, path: CodePath): void => {
    try {
      const found = storage.findTarget(keyOn(visit.domain, path.code));
      if (!(found instanceof Promise)) return answer(visit, path, found);
      found.then((target) => answer(visit, path, target)).catch((error: unknown) => fail(visit, error));
    } catch (error) {
      fail(visit, error);
    }
  };

  /**
   * Looks up a case-sensitive code that ends with `+`. A link whose code contains the `+` takes precedence over a
   * preview.
   */
  const lookUpPlus = async (visit: Visit, path: CodePath): Promise<void> => {
    try {
      const literal = { ...path, code: `${path.code}+`, preview: false };
      const target = await storage.findTarget(keyOn(visit.domain, literal.code));
      if (target === undefined) lookUp(visit, path);
      else answer(visit, literal, target);
    } catch (error) {
      fail(visit, error);
    }
  };

  return (visit, path) => {
    if (path === undefined || !couldBeCodeOn(visit.domain, path.code)) answerUnknown(visit, path);
    else if (path.preview && hasExactCodes(visit.domain)) void lookUpPlus(visit, path);
    else lookUp(visit, path);
  };
}

type LookUpVariants = (
  visit: Visit,
  path: CodePath | undefined,
  code: string | undefined,
) => Promise<SecondLookup> | undefined;

/**
 * Creates the function that looks up variants of a path that is not a link's code. It tries the path without hyphens
 * (only on golinks domains), then as a code with a remainder, then without stray characters.
 */
function createLookUpVariants({
  findCode,
  findLongest,
  lookAgain,
}: Pick<LinksOptions, 'findCode' | 'findLongest' | 'lookAgain'>): LookUpVariants {
  const behind = async (
    longest: ReturnType<FindLongest>,
    visit: Visit,
    code: string | undefined,
  ): Promise<SecondLookup> => {
    const meant = await longest;
    return meant === undefined ? ((await lookAgain(visit, code)) ?? {}) : { meant };
  };
  const lookUp = (visit: Visit, code: string | undefined): Promise<SecondLookup> | undefined => {
    const longest = findLongest(visit);
    return longest === undefined ? lookAgain(visit, code) : behind(longest, visit, code);
  };
  const lookWithoutHyphens = async (visit: Visit, path: CodePath): Promise<SecondLookup> => {
    const target = await findCode(visit, path.code);
    return target === undefined ? ((await lookUp(visit, path.code)) ?? {}) : { meant: { path, target } };
  };
  return (visit, path, code) =>
    visit.domain?.golinks === true && path !== undefined && code !== undefined
      ? lookWithoutHyphens(visit, path)
      : lookUp(visit, code);
}

/**
 * Redirect statuses that preserve the method. Clients repeat the request, with its body, at the destination (RFC 9110
 * §15.4).
 */
const keepsMethod: ReadonlySet<number | null> = new Set([307, 308]);
export const repeatedMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Returns true if a link accepts a method other than GET and HEAD. */
function acceptsMethod(link: Target, method: string, preview: boolean): link is SpecialLink {
  if (!isSpecial(link)) return false;
  if (hasForm(link)) return method === 'POST';
  return keepsMethod.has(link.special.redirectStatus) && repeatedMethods.has(method) && !preview;
}

/**
 * Creates the handler for methods other than GET and HEAD. The handler accepts form submissions (a password, or a
 * one-time link's button). For links with status 307 or 308, it accepts the methods in `repeatedMethods`. It
 * rate-limits code guessing, like the GET handler.
 */
export function createForms(
  options: LinksOptions,
): (visit: Visit, path: CodePath | undefined) => Promise<void> {
  const { storage, answerSpecial, unknown, notFound, isAllowed, fail } = options;
  const lookUpVariants = createLookUpVariants(options);
  return async (visit, path) => {
    try {
      const code = path !== undefined && couldBeCodeOn(visit.domain, path.code) ? path.code : undefined;
      const target = code === undefined ? undefined : await storage.findTarget(keyOn(visit.domain, code));
      const second = target === undefined ? await lookUpVariants(visit, path, code) : undefined;
      const link = target !== undefined && path !== undefined ? { path, target } : second?.meant;
      if (link !== undefined && acceptsMethod(link.target, visit.method, link.path.preview))
        return answerSpecial(visit, link.path, link.target);
      const isGuess = link === undefined && (code !== undefined || second !== undefined);
      if (isGuess && unknown.isLimited(visit)) return;
      const asked = link?.path ?? path;
      const isPath = asked?.kind === 'code' || (asked !== undefined && isAllowed(visit, asked.code));
      if (isPath) fail(visit, methodNotAllowed());
      else notFound(visit);
    } catch (error) {
      fail(visit, error);
    }
  };
}
