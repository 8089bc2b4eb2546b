import { shortUrlOf } from '../model/links/codes/codes.ts';
import { encodeQuery } from '../model/links/destinations/forwarded-query.ts';
import type { Target } from '../model/links/link-records.ts';
import { couldBeCodeOn } from './domains.ts';
import type { FindCode } from './golinks.ts';
import { type CodePath, pathTextIn, queryOf } from './path.ts';
import type { Visit } from './visit.ts';

// Invisible characters that chat apps, mail clients and markup attach to a short URL or insert at line breaks.
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** Matches a character that can end a case-insensitive code. */
const ending = /[[\p{L}\p{N}\p{M}\p{ExtPict}\p{EMod}\p{RI}_\-]--[\ufe0e\ufe0f]]/v;
// Does not match a leading period, because scanners request dotfiles, which must not match codes.
const beforeCode = /^[^.\p{L}\p{N}\p{ExtPict}\p{RI}][^\p{L}\p{N}\p{ExtPict}\p{RI}]*/u;
/** Characters that start a query. The characters in `marks` start other text that does not belong to the code. */
const queryMarks = [...'?&'];
const marks = [...'#<>"“”„«»‹›()[]{}|\u00a0 \n\r\t'];

const maxSteps = 40;
const maxLookUps = 8;

/** A part of the path that may be the code, and the query that follows this part in the path, without `?`. */
interface Candidate {
  readonly text: string;
  readonly query: string;
}

/** Yields the parts of a request target that may be the code, longest first. */
function* candidatesIn(target: string): Generator<Candidate, void, undefined> {
  const text = pathTextIn(target)
    .replace(invisible, '')
    .replace(/\/{2,}/g, '/')
    .replace(/^\/|\/$/g, '');
  if (`/${text}/`.includes('/../') || text.startsWith('.well-known/')) return;
  const begun = text.replace(beforeCode, '');
  for (const one of new Set([text, begun])) yield* shortened(one);
}

function* shortened(text: string): Generator<Candidate, void, undefined> {
  let left = text;
  let query = '';
  for (let step = 0; step < maxSteps && left !== ''; step += 1) {
    yield { text: left, query };
    const last = Array.from(left.slice(-2)).at(-1) ?? '';
    const ofQuery = lastOf(queryMarks, left);
    const mark = ofQuery > 0 ? ofQuery : lastOf(marks, left);
    if (!ending.test(last)) left = left.slice(0, -last.length);
    else if (mark > 0) {
      if (mark === ofQuery) query = `${left.slice(mark + 1)}&${query}`;
      left = left.slice(0, mark);
    } else if (last === '_' || last === '-') left = left.slice(0, -1);
    else return;
  }
}

function lastOf(texts: readonly string[], text: string): number {
  return Math.max(...texts.map((one) => text.lastIndexOf(one)));
}

/** A link that was found after removing stray characters. */
export interface FoundLink {
  readonly path: CodePath;
  readonly target: Target;
}

/** Result of a second lookup: a link, or the code that the visitor probably meant. */
export interface SecondLookup {
  readonly meant?: FoundLink;
  readonly code?: string;
}

/**
 * Looks up the request target again, without stray characters. If a link is found, the visit's target is replaced with
 * the link's path and the query that followed `&` or an encoded `?`.
 * @param asked the code that was already looked up
 * @returns undefined, without a lookup, if the target has no stray characters
 */
export type FindWithoutStrayCharacters = (
  visit: Visit,
  asked: string | undefined,
) => Promise<SecondLookup> | undefined;

export function createFindWithoutStrayCharacters(findCode: FindCode): FindWithoutStrayCharacters {
  const find = async (visit: Visit, paths: readonly (CodePath & Candidate)[]): Promise<SecondLookup> => {
    for (const { text: _text, query, ...path } of paths) {
      const target = await findCode(visit, path.code);
      if (target === undefined) continue;
      const queries = [query, queryOf(visit.target)].filter((one) => one !== '').join('&');
      visit.target = `${shortUrlOf('', path.code)}${path.preview ? '+' : ''}${queries && `?${queries}`}`;
      return { meant: { path, target } };
    }
    const code = paths[0]?.code;
    return code === undefined ? {} : { code };
  };
  return (visit, asked) => {
    const seen = new Set([asked]);
    const paths: (CodePath & Candidate)[] = [];
    for (const { text, query } of candidatesIn(visit.target)) {
      for (const preview of text.endsWith('+') ? [false, true] : [false]) {
        const code = preview ? text.slice(0, -1) : text;
        if (seen.has(code) || !couldBeCodeOn(visit.domain, code) || paths.length === maxLookUps) continue;
        seen.add(code);
        paths.push({
          kind: code.includes('/') ? 'segments' : 'code',
          code,
          preview,
          text,
          query: parametersIn(query),
        });
      }
    }
    return paths.length === 0 ? undefined : find(visit, paths);
  };
}

/** Returns a query without the parameters that have no value. Such parameters are remnants of markup, such as `gt;`. */
function parametersIn(query: string): string {
  const pairs = query
    .replaceAll('&amp;', '&')
    .split('&')
    .map((pair) => pair.replace(/^amp;/, ''));
  return encodeQuery(pairs.filter((pair) => pair.includes('=')).join('&'));
}
