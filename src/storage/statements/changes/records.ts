import type { Share } from '../../../model/clicks/shares.ts';
import type { Fields } from '../../../model/history/events.ts';
import type { Db } from '../../db/db.ts';
import { domain } from '../domains/domains.ts';
import { sparseFields } from '../events/append.ts';
import { folder } from '../groups/folders.ts';
import { tag } from '../groups/tags.ts';
import { utmTemplates } from '../groups/utm-templates.ts';
import { readImport } from '../imports/imports.ts';
import { changed, type NotedWrites, noted } from './changes.ts';

const ofFolder = ({ name, expiredUrl }: Fields): Fields => ({ name, expiredUrl });
const ofDomain = ({
  host,
  status,
  codes,
  isDefault,
  rootUrl,
  unknownUrl,
  expiredUrl,
  indexed,
}: Fields): Fields => ({
  host,
  status,
  codes,
  isDefault,
  rootUrl,
  unknownUrl,
  expiredUrl,
  indexed,
});
const ofTemplate = (
  template: { readonly name: string; readonly utm: string } | undefined,
): Fields | undefined => template && { name: template.name, utm: JSON.parse(template.utm) as unknown };
async function templateOf(db: Db, accountId: number, id: string) {
  return (await utmTemplates(db, accountId)).find((one) => one.id === id);
}

/** Writes of what stands around links; links and new tags note themselves. */
export const ofRecords: NotedWrites = {
  createFolder: noted<'createFolder'>({
    told: ({ result }, accountId, { createdAt: at }) => {
      return {
        accountId,
        at,
        name: 'folder.created',
        targetId: result.id,
        body: sparseFields(ofFolder({ ...result })),
      };
    },
  }),
  updateFolder: noted<'updateFolder', Fields | undefined>({
    before: async (db, accountId, id) => (await folder(db, accountId, id)) as Fields | undefined,
    told: ({ before, result }, accountId, id, _, at) =>
      changed(
        { accountId, at, targetId: id },
        'folder.updated',
        before && ofFolder(before),
        result && ofFolder({ ...result }),
      ),
  }),
  deleteFolder: noted<'deleteFolder', Fields | undefined>({
    before: async (db, accountId, id) => (await folder(db, accountId, id)) as Fields | undefined,
    told: ({ before, result }, accountId, id, at) =>
      result
        ? { accountId, at, name: 'folder.deleted', targetId: id, body: sparseFields(ofFolder(before ?? {})) }
        : undefined,
  }),
  restoreFolder: noted<'restoreFolder', boolean>({
    before: async (db, accountId, id) => (await folder(db, accountId, id)) !== undefined,
    told: ({ before, result }, accountId, id) =>
      before || result === undefined
        ? undefined
        : { accountId, name: 'folder.restored', targetId: id, body: sparseFields(ofFolder({ ...result })) },
  }),
  renameTag: noted<'renameTag', Fields | undefined>({
    before: async (db, accountId, id) => (await tag(db, accountId, id)) as Fields | undefined,
    told: ({ before, result }, accountId, id, _, at) =>
      changed({ accountId, at, targetId: id }, 'tag.renamed', before && { name: before['name'] }, {
        name: result.name,
      }),
  }),
  mergeTags: noted<'mergeTags', Fields | undefined>({
    before: async (db, accountId, id) => (await tag(db, accountId, id)) as Fields | undefined,
    told: ({ before, result }, accountId, id, into, at) =>
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
  deleteTag: noted<'deleteTag', Fields | undefined>({
    before: async (db, accountId, id) => (await tag(db, accountId, id)) as Fields | undefined,
    told: ({ before, result }, accountId, id) =>
      result ? { accountId, name: 'tag.deleted', targetId: id, body: { name: before?.['name'] } } : undefined,
  }),
  createUtmTemplate: noted<'createUtmTemplate'>({
    told: ({ result }, accountId) => {
      return {
        accountId,
        at: result.createdAt,
        name: 'utm-template.created',
        targetId: result.id,
        body: ofTemplate(result) ?? null,
      };
    },
  }),
  updateUtmTemplate: noted<'updateUtmTemplate', Fields | undefined>({
    before: async (db, accountId, id) => ofTemplate(await templateOf(db, accountId, id)),
    told: ({ before, result }, accountId, id, _, at) =>
      changed({ accountId, at, targetId: id }, 'utm-template.updated', before, ofTemplate(result)),
  }),
  deleteUtmTemplate: noted<'deleteUtmTemplate', Fields | undefined>({
    before: async (db, accountId, id) => ofTemplate(await templateOf(db, accountId, id)),
    told: ({ before, result }, accountId, id) =>
      result ? { accountId, name: 'utm-template.deleted', targetId: id, body: before ?? null } : undefined,
  }),
  shareLink: noted<'shareLink'>({
    told: ({ result }, accountId, linkId) => shareCreated(accountId, result, { linkId }),
  }),
  createShare: noted<'createShare'>({
    told: ({ result }, accountId) => shareCreated(accountId, result, { subjects: result.subjects }),
  }),
  revokeShare: noted<'revokeShare'>({
    told: ({ result }, accountId, id) =>
      result ? { accountId, name: 'share.revoked', targetId: id } : undefined,
  }),
  createDomain: noted<'createDomain'>({
    told: ({ result }, accountId, { createdAt: at }) => {
      return {
        accountId,
        at,
        name: 'domain.created',
        targetId: result.id,
        body: sparseFields(ofDomain({ ...result })),
      };
    },
  }),
  updateDomain: noted<'updateDomain', Fields | undefined>({
    before: async (db, accountId, id) => (await domain(db, accountId, id)) as Fields | undefined,
    told: ({ before, result }, accountId, id) =>
      changed(
        { accountId, targetId: id },
        'domain.updated',
        before && ofDomain(before),
        ofDomain({ ...result }),
      ),
  }),
  deleteDomain: noted<'deleteDomain', Fields | undefined>({
    before: async (db, accountId, id) => (await domain(db, accountId, id)) as Fields | undefined,
    told: ({ before }, accountId, id, at) => {
      return { accountId, at, name: 'domain.deleted', targetId: id, body: { host: before?.['host'] } };
    },
  }),
  checkDomain: noted<'checkDomain', Fields | undefined>({
    before: async (db, accountId, id) => (await domain(db, accountId, id)) as Fields | undefined,
    told: ({ before, result }, accountId, id, { checkedAt: at }) =>
      result.status === 'pending'
        ? undefined
        : changed(
            { accountId, at, targetId: id },
            `domain.${result.status}`,
            before && ofDomain(before),
            ofDomain({ ...result }),
          ),
  }),
  pauseImport: noted<'pauseImport', string | undefined>({
    before: async (db, accountId, id) => (await readImport(db, accountId, id))?.state,
    told: ({ before, result }, accountId, id, _, at) =>
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
