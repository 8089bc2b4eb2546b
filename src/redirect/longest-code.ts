import { maxSegments } from '../model/links/codes/codes.ts';
import { segmentsOf } from '../model/links/destinations/templates.ts';
import { usesRestOfPath } from '../rules/outcome.ts';
import { couldBeCodeOn, hasExactCodes } from './domains.ts';
import type { FindCode } from './golinks.ts';
import { type CodePath, rawPathIn } from './path.ts';
import type { FoundLink } from './stray-characters.ts';
import type { Visit } from './visit.ts';

/**
 * Maximum number of segments in a case-sensitive code for this search. Each possible number of segments costs a lookup.
 */
const maxExactSegments = 10;

/**
 * Finds the link for a path that continues after the code: the link with the longest code that accepts a remainder.
 * `{code}+/rest` requests the preview.
 * @returns undefined, without a lookup, if the path cannot contain a code and a remainder
 */
export type FindLongest = (visit: Visit) => Promise<FoundLink | undefined> | undefined;

export function createFindLongest(findCode: FindCode): FindLongest {
  const find = async (visit: Visit, paths: readonly CodePath[]): Promise<FoundLink | undefined> => {
    // Looks up all codes in parallel, so that the search costs only one round trip to a remote database.
    const targets = await Promise.all(paths.map(({ code }) => findCode(visit, code)));
    for (const [at, path] of paths.entries()) {
      const target = targets[at];
      if (target?.special !== undefined && usesRestOfPath(target.special)) return { path, target };
    }
    return undefined;
  };
  return (visit) => {
    const paths = pathsOf(visit);
    return paths.length === 0 ? undefined : find(visit, paths);
  };
}

/** Returns the possible splits of the path into code and remainder, longest code first. */
function pathsOf({ target, domain }: Visit): CodePath[] {
  // Decodes `%2F` on golinks domains, because browsers encode a `/` in a search term.
  const raw = rawPathIn(target);
  const sent = domain?.golinks === true ? raw.replaceAll(/%2f/gi, '/') : raw;
  if (!sent.includes('/') || sent.startsWith('.well-known/')) return [];
  const decoded = segmentsOf(sent) ?? [];
  const maxCount = Math.min(decoded.length - 1, hasExactCodes(domain) ? maxExactSegments : maxSegments);
  return Array.from({ length: Math.max(0, maxCount) }, (_, n) => {
    const text = decoded.slice(0, maxCount - n).join('/');
    const preview = text.endsWith('+');
    const code = preview ? text.slice(0, -1) : text;
    return { kind: 'segments', code, preview, rest: decoded.slice(maxCount - n) } as const;
  }).filter(({ code }) => couldBeCodeOn(domain, code));
}
