import type { Share } from '../../../model/clicks/shares.ts';
import type { Domain } from '../../../model/domains/domains.ts';
import type { Fields } from '../../../model/history/events.ts';
import type { Folder } from '../../../model/links/folders.ts';
import type { UtmTemplate } from '../../../model/links/utm-templates.ts';
import type { Db } from '../../db/db.ts';
import { domain } from '../domains/domains.ts';
import { sparseFields } from '../events/append.ts';
import { folder } from '../groups/folders.ts';
import { tag } from '../groups/tags.ts';
import { utmTemplates } from '../groups/utm-templates.ts';
import { readImport } from '../imports/imports.ts';
import { changed, type EventRules } from './changes.ts';

function folderFields(of: Folder | undefined): Fields | undefined {
  return of && { name: of.name, expiredUrl: of.expiredUrl };
}

function domainFields(of: Domain | undefined): Fields | undefined {
  if (of === undefined) return undefined;
  const { host, status, codes, isDefault, rootUrl, unknownUrl, expiredUrl, indexed, golinks } = of;
  return { host, status, codes, isDefault, rootUrl, unknownUrl, expiredUrl, indexed, golinks };
}

function templateFields(of: UtmTemplate | undefined): Fields | undefined {
  return of && { name: of.name, utm: JSON.parse(of.utm) as unknown };
}

async function findTemplateFields(db: Db, accountId: number, id: string): Promise<Fields | undefined> {
  return templateFields((await utmTemplates(db, accountId)).find((template) => template.id === id));
}

function shareCreated(accountId: number, { id, createdAt: at, expiresAt }: Share, fields: Fields) {
  const body = sparseFields({ ...fields, expiresAt: expiresAt && new Date(expiresAt).toISOString() });
  return { accountId, at, name: 'share.created', targetId: id, body } as const;
}

/**
 * Event rules for folders, tags, templates, shares, domains and imports. Writes to links, and the creation of tags,
 * append their own events.
 */
export const recordRules: EventRules = {
  createFolder:
    (_db, accountId, { createdAt: at }) =>
    (result) => {
      const body = sparseFields(folderFields(result) ?? {});
      return { accountId, at, name: 'folder.created', targetId: result.id, body };
    },
  updateFolder: async (db, accountId, targetId, _, at) => {
    const before = folderFields(await folder(db, accountId, targetId));
    return (after) => changed({ accountId, at, targetId }, 'folder.updated', before, folderFields(after));
  },
  deleteFolder: async (db, accountId, targetId, at) => {
    const body = sparseFields(folderFields(await folder(db, accountId, targetId)) ?? {});
    return (isDeleted) => isDeleted && { accountId, at, name: 'folder.deleted', targetId, body };
  },
  restoreFolder: async (db, accountId, targetId) => {
    const before = await folder(db, accountId, targetId);
    return (after) =>
      before === undefined &&
      after && {
        accountId,
        name: 'folder.restored',
        targetId,
        body: sparseFields(folderFields(after) ?? {}),
      };
  },
  renameTag: async (db, accountId, targetId, _, at) => {
    const before = await tag(db, accountId, targetId);
    return ({ name }) =>
      before && changed({ accountId, at, targetId }, 'tag.renamed', { name: before.name }, { name });
  },
  mergeTags: async (db, accountId, targetId, into, at) => {
    const was = { name: (await tag(db, accountId, targetId))?.name ?? null };
    return ({ name }) =>
      targetId !== into && { accountId, at, name: 'tag.merged', targetId, was, body: { name, into } };
  },
  deleteTag: async (db, accountId, targetId) => {
    const before = await tag(db, accountId, targetId);
    return (isDeleted) =>
      isDeleted && { accountId, name: 'tag.deleted', targetId, body: { name: before?.name } };
  },
  createUtmTemplate: (_db, accountId) => (result) => {
    const { id: targetId, createdAt: at } = result;
    return { accountId, at, name: 'utm-template.created', targetId, body: templateFields(result) ?? null };
  },
  updateUtmTemplate: async (db, accountId, targetId, _, at) => {
    const before = await findTemplateFields(db, accountId, targetId);
    return (after) =>
      changed({ accountId, at, targetId }, 'utm-template.updated', before, templateFields(after));
  },
  deleteUtmTemplate: async (db, accountId, targetId) => {
    const body = (await findTemplateFields(db, accountId, targetId)) ?? null;
    return (isDeleted) => isDeleted && { accountId, name: 'utm-template.deleted', targetId, body };
  },
  shareLink: (_db, accountId, linkId) => (share) => shareCreated(accountId, share, { linkId }),
  createShare: (_db, accountId) => (share) => shareCreated(accountId, share, { subjects: share.subjects }),
  revokeShare: (_db, accountId, targetId) => (isRevoked) =>
    isRevoked && { accountId, name: 'share.revoked', targetId },
  createDomain:
    (_db, accountId, { createdAt: at }) =>
    (result) => {
      const body = sparseFields(domainFields(result) ?? {});
      return { accountId, at, name: 'domain.created', targetId: result.id, body };
    },
  updateDomain: async (db, accountId, targetId) => {
    const before = domainFields(await domain(db, accountId, targetId));
    return (after) => changed({ accountId, targetId }, 'domain.updated', before, domainFields(after));
  },
  deleteDomain: async (db, accountId, targetId, at) => {
    const body = { host: (await domain(db, accountId, targetId))?.host };
    return () => ({ accountId, at, name: 'domain.deleted', targetId, body });
  },
  checkDomain: async (db, accountId, targetId, { checkedAt: at }) => {
    const before = domainFields(await domain(db, accountId, targetId));
    return (after) =>
      after.status !== 'pending' &&
      changed({ accountId, at, targetId }, `domain.${after.status}`, before, domainFields(after));
  },
  pauseImport: async (db, accountId, targetId, _, at) => {
    const before = await readImport(db, accountId, targetId);
    return ({ state }) =>
      changed({ accountId, at, targetId }, 'import.updated', { state: before?.state }, { state });
  },
};
