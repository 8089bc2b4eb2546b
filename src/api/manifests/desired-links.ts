import { parseFields } from '../../contract/fields.ts';
import { manifestLink } from '../../contract/manifests/manifests.ts';
import type { LinkDomain } from '../../model/domains/hosts.ts';
import { Failure, type Problem, problem, refused } from '../../model/failures.ts';
import { refusalFrom } from '../../model/links/bulk.ts';
import { codeKey } from '../../model/links/codes/codes.ts';
import { domainFor } from '../../model/links/domains.ts';
import { folderNotFound } from '../../model/links/folders.ts';
import type { Caller, LinkDraft } from '../../model/links/links.ts';
import { newLinkOf } from '../../model/links/new-links.ts';
import type { RefusedLink } from '../../model/manifests/manifests.ts';
import { type DesiredLink, repeatedCode } from '../../model/manifests/plan.ts';
import { createYield } from '../../runtime/yield.ts';
import type { ApiContext } from '../request/handler.ts';
import { linkProblems } from '../rules/link-problems.ts';

type Row = Readonly<Record<string, unknown>>;
type DomainOf = (host: string | null | undefined) => Promise<LinkDomain | undefined>;

/** Validates a manifest's links and converts them for storage. Yields to the event loop between links. */
export async function readDesiredLinks(
  context: ApiContext,
  caller: Caller,
  rows: readonly Row[],
): Promise<{ wanted: readonly DesiredLink[]; refused: readonly RefusedLink[] }> {
  const pause = createYield();
  const domains = new Map<string | null, ReturnType<DomainOf>>();
  const domainOf: DomainOf = (host = null) =>
    domains.getOrInsertComputed(host, () => domainFor(context, caller, host));
  const folders = new Map<string, ReturnType<ApiContext['storage']['folder']>>();
  const folderOf = (id: string) =>
    folders.getOrInsertComputed(id, () => context.storage.folder(caller.accountId, id));
  const wanted = new Map<string, DesiredLink>();
  const refusals: RefusedLink[] = [];
  for (const [at, row] of rows.entries()) {
    await pause();
    try {
      const link = await readDesiredLink({ context, caller, domainOf }, at, row);
      const { folderId } = link.link;
      if (folderId != null && (await folderOf(folderId)) === undefined) throw folderNotFound();
      if (wanted.has(link.key)) refusals.push({ at, refused: repeatedCode(String(row['customCode'])) });
      else wanted.set(link.key, link);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refusals.push({ at, refused: refusalFrom(error) });
    }
  }
  return { wanted: [...wanted.values()], refused: refusals };
}

interface Reading {
  readonly context: ApiContext;
  readonly caller: Caller;
  readonly domainOf: DomainOf;
}

/** Converts a manifest row. @throws Failure if the row is not a valid link */
async function readDesiredLink(
  { context, caller, domainOf }: Reading,
  at: number,
  row: Row,
): Promise<DesiredLink> {
  const { values, problems } = parseFields(manifestLink, row);
  // Rejects unknown fields: if a misspelled field were ignored, nobody would notice that it has no effect.
  const unknown = Object.keys(row).filter((name) => !Object.hasOwn(manifestLink, name));
  const wrong = [...unknown.map(unknownField), ...problems];
  if (wrong.length > 0) throw refused(wrong);
  const { movedFrom, ...draft } = values as LinkDraft & { readonly movedFrom?: string | null };
  const found = linkProblems(context, { ...draft, domain: draft.domain ?? caller.domain?.host });
  const late = found.filter(({ reason }) => reason === 'in_the_past');
  if (found.length > late.length) throw refused(found);
  const domain = await domainOf(draft.domain);
  const link = newLinkOf(context, caller, draft, domain);
  const space = domain?.space ?? '';
  return {
    at,
    key: codeKey(space, link.codes[0] ?? ''),
    link,
    ...(movedFrom != null && { movedFrom: codeKey(space, movedFrom) }),
    ...(late.length > 0 && { isOver: refusalFrom(refused(late)) }),
  };
}

function unknownField(name: string): Problem {
  if (name === 'password')
    return problem(name, 'not_allowed', 'password cannot be set in a manifest. Use PATCH /api/v1/links/:id.');
  const names = Object.keys(manifestLink).join(', ');
  return problem(name, 'unknown_field', `Unknown field ${name}. Fields: ${names}.`);
}
