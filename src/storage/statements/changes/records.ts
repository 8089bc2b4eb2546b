import type { Share } from '../../../model/clicks/shares.ts';
import type { Fields } from '../../../model/history/events.ts';
import type { Db } from '../../db/db.ts';
import { domain } from '../domains/domains.ts';
import { sparseFields } from '../events/append.ts';
import { folder } from '../groups/folders.ts';
import { tag } from '../groups/tags.ts';
import { utmTemplates } from '../groups/utm-templates.ts';
import { readImport } from '../imports/imports.ts';
import { changed, type EventRules, eventRule } from './changes.ts';

const folderFields = ({ name, expiredUrl }: Fields): Fields => ({ name, expiredUrl });
const domainFields = ({
  host,
  status,
  codes,
  isDefault,
  rootUrl,
  unknownUrl,
  expiredUrl,
  indexed,
  golinks,
}: Fields): Fields => ({
  host,
  status,
  codes,
  isDefault,
  rootUrl,
  unknownUrl,
  expiredUrl,
  indexed,
  golinks,
});
const templateFields = (
  template: { readonly name: string; readonly utm: string } | undefined,
): Fields | undefined => template && { name: template.name, utm: JSON.parse(template.utm) as unknown };
async function findTemplate(db: Db, accountId: number, id: string) {
  return (await utmTemplates(db, accountId)).find((one) => one.id === id);
}

/**
 * Event rules for folders, tags, templates, shares, domains and imports. Writes of links, and the creation of tags,
 * append their own events.
 */
export const recordRules: EventRules = {
  createFolder: eventRule<'createFolder'>({
    createEvent: ({ result }, accountId, { createdAt: at }) => {
      return {
        accountId,
        at,
        name: 'folder.created',
        targetId: result.id,
        body: sparseFields(folderFields({ ...result })),
      };
    },
  }),
  updateFolder: eventRule<'updateFolder', Fields | undefined>({
    before: async (db, accountId, id) => (await folder(db, accountId, id)) as Fields | undefined,
    createEvent: ({ before, result }, accountId, id, _, at) =>
      changed(
        { accountId, at, targetId: id },
        'folder.updated',
        before && folderFields(before),
        result && folderFields({ ...result }),
      ),
  }),
  deleteFolder: eventRule<'deleteFolder', Fields | undefined>({
    before: async (db, accountId, id) => (await folder(db, accountId, id)) as Fields | undefined,
    createEvent: ({ before, result }, accountId, id, at) =>
      result
        ? {
            accountId,
            at,
            name: 'folder.deleted',
            targetId: id,
            body: sparseFields(folderFields(before ?? {})),
          }
        : undefined,
  }),
  restoreFolder: eventRule<'restoreFolder', boolean>({
    before: async (db, accountId, id) => (await folder(db, accountId, id)) !== undefined,
    createEvent: ({ before, result }, accountId, id) =>
      before || result === undefined
        ? undefined
        : {
            accountId,
            name: 'folder.restored',
            targetId: id,
            body: sparseFields(folderFields({ ...result })),
          },
  }),
  renameTag: eventRule<'renameTag', Fields | undefined>({
    before: async (db, accountId, id) => (await tag(db, accountId, id)) as Fields | undefined,
    createEvent: ({ before, result }, accountId, id, _, at) =>
      changed({ accountId, at, targetId: id }, 'tag.renamed', before && { name: before['name'] }, {
        name: result.name,
      }),
  }),
  mergeTags: eventRule<'mergeTags', Fields | undefined>({
    before: async (db, accountId, id) => (await tag(db, accountId, id)) as Fields | undefined,
    createEvent: ({ before, result }, accountId, id, into, at) =>
      id === into
        ? undefined
        : {
            accountId,
            at,
            name: 'tag.merged',
            targetId: id,
            was: { name: before?.['name'] ?? null },
            body: { name: result.name, into },
          },
  }),
  deleteTag: eventRule<'deleteTag', Fields | undefined>({
    before: async (db, accountId, id) => (await tag(db, accountId, id)) as Fields | undefined,
    createEvent: ({ before, result }, accountId, id) =>
      result ? { accountId, name: 'tag.deleted', targetId: id, body: { name: before?.['name'] } } : undefined,
  }),
  createUtmTemplate: eventRule<'createUtmTemplate'>({
    createEvent: ({ result }, accountId) => {
      return {
        accountId,
        at: result.createdAt,
        name: 'utm-template.created',
        targetId: result.id,
        body: templateFields(result) ?? null,
      };
    },
  }),
  updateUtmTemplate: eventRule<'updateUtmTemplate', Fields | undefined>({
    before: async (db, accountId, id) => templateFields(await findTemplate(db, accountId, id)),
    createEvent: ({ before, result }, accountId, id, _, at) =>
      changed({ accountId, at, targetId: id }, 'utm-template.updated', before, templateFields(result)),
  }),
  deleteUtmTemplate: eventRule<'deleteUtmTemplate', Fields | undefined>({
    before: async (db, accountId, id) => templateFields(await findTemplate(db, accountId, id)),
    createEvent: ({ before, result }, accountId, id) =>
      result ? { accountId, name: 'utm-template.deleted', targetId: id, body: before ?? null } : undefined,
  }),
  shareLink: eventRule<'shareLink'>({
    createEvent: ({ result }, accountId, linkId) => shareCreated(accountId, result, { linkId }),
  }),
  createShare: eventRule<'createShare'>({
    createEvent: ({ result }, accountId) => shareCreated(accountId, result, { subjects: result.subjects }),
  }),
  revokeShare: eventRule<'revokeShare'>({
    createEvent: ({ result }, accountId, id) =>
      result ? { accountId, name: 'share.revoked', targetId: id } : undefined,
  }),
  createDomain: eventRule<'createDomain'>({
    createEvent: ({ result }, accountId, { createdAt: at }) => {
      return {
        accountId,
        at,
        name: 'domain.created',
        targetId: result.id,
        body: sparseFields(domainFields({ ...result })),
      };
    },
  }),
  updateDomain: eventRule<'updateDomain', Fields | undefined>({
    before: async (db, accountId, id) => (await domain(db, accountId, id)) as Fields | undefined,
    createEvent: ({ before, result }, accountId, id) =>
      changed(
        { accountId, targetId: id },
        'domain.updated',
        before && domainFields(before),
        domainFields({ ...result }),
      ),
  }),
  deleteDomain: eventRule<'deleteDomain', Fields | undefined>({
    before: async (db, accountId, id) => (await domain(db, accountId, id)) as Fields | undefined,
    createEvent: ({ before }, accountId, id, at) => {
      return { accountId, at, name: 'domain.deleted', targetId: id, body: { host: before?.['host'] } };
    },
  }),
  checkDomain: eventRule<'checkDomain', Fields | undefined>({
    before: async (db, accountId, id) => (await domain(db, accountId, id)) as Fields | undefined,
    createEvent: ({ before, result }, accountId, id, { checkedAt: at }) =>
      result.status === 'pending'
        ? undefined
        : changed(
            { accountId, at, targetId: id },
            `domain.${result.status}`,
            before && domainFields(before),
            domainFields({ ...result }),
          ),
  }),
  pauseImport: eventRule<'pauseImport', string | undefined>({
    before: async (db, accountId, id) => (await readImport(db, accountId, id))?.state,
    createEvent: ({ before, result }, accountId, id, _, at) =>
      changed({ accountId, at, targetId: id }, 'import.updated', { state: before }, { state: result.state }),
  }),
};

function shareCreated(accountId: number, { id, createdAt: at, expiresAt }: Share, of: Fields) {
  const body = sparseFields({
    ...of,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  });
  return { accountId, at, name: 'share.created' as const, targetId: id, body };
}
