import type { CallOptions } from './call.ts';
import type {
  Calls,
  ChangeCodeResult,
  MoveLinkResult,
  RepointLinkResult,
  UpdateLinkInput,
  UpdateLinkResult,
} from './endpoints.ts';
import { LinkfoldError } from './errors.ts';
import type { Answer } from './transport.ts';

/** Changes to a link: the fields of `updateLink`, and its destination, folder and code. */
export type LinkChanges = UpdateLinkInput & {
  /** New destination. */
  readonly url?: string | undefined;
  /** New folder; null to remove the link from its folder. */
  readonly folderId?: string | null | undefined;
  /** New code. The old code becomes an alias. */
  readonly code?: string | undefined;
  /** Domain of the new code. Default: the link's current domain. */
  readonly domain?: string | null | undefined;
};

/** Combined results of all calls. */
export type LinkUpdate = Pick<UpdateLinkResult, 'id'> &
  Partial<UpdateLinkResult & ChangeCodeResult & RepointLinkResult & MoveLinkResult>;

/**
 * Changes a link with as many calls as needed, and stops at the first call that fails. With `ifMatch`, each call
 * requires the revision that the previous call returned.
 * @throws LinkfoldError, whose `done` lists the fields already changed
 * @throws TypeError for a `domain` without a `code`
 */
export async function applyChanges(
  calls: Pick<Calls, 'changeCode' | 'repointLink' | 'updateLink' | 'moveLink'>,
  id: string,
  { url, folderId, code, domain, ...fields }: LinkChanges,
  options: CallOptions = {},
): Promise<LinkUpdate> {
  if (domain !== undefined && code === undefined) throw new TypeError('domain requires a new code.');
  const names = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  let { ifMatch } = options;
  const onAnswer = (answer: Answer): void => {
    if (ifMatch !== undefined) ifMatch = answer.headers.get('etag') ?? ifMatch;
    options.onAnswer?.(answer);
  };
  const steps: [string[], (options: CallOptions) => Promise<Partial<LinkUpdate>>][] = [];
  // Code changes fail most often, so they come first.
  if (code !== undefined)
    steps.push([['code'], (with_) => calls.changeCode(id, { customCode: code, domain }, with_)]);
  if (url !== undefined) steps.push([['url'], (with_) => calls.repointLink(id, { url }, with_)]);
  if (folderId !== undefined) steps.push([['folderId'], (with_) => calls.moveLink(id, { folderId }, with_)]);
  if (names.length > 0 || steps.length === 0)
    steps.push([names, (with_) => calls.updateLink(id, fields, with_)]);
  const done: string[] = [];
  let link: LinkUpdate = { id };
  for (const [changed, call] of steps) {
    try {
      link = { ...link, ...(await call({ ...options, ifMatch, onAnswer })) };
    } catch (error) {
      if (error instanceof LinkfoldError) error.done = done;
      throw error;
    }
    done.push(...changed);
  }
  return link;
}
