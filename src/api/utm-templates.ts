import { apiPrefix } from '../contract/endpoint.ts';
import type { utmTemplateEndpoints } from '../contract/links/utm-templates.ts';
import * as templates from '../model/links/utm-templates.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import type { Handlers } from './request/handler.ts';

function shown({ id, name, utm, createdAt, updatedAt }: templates.UtmTemplate) {
  return {
    id,
    name,
    utm: JSON.parse(utm),
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
  };
}

export const utmTemplateHandlers: Handlers<typeof utmTemplateEndpoints> = {
  listUtmTemplates: {
    async run({ context, key }) {
      const found = await context.storage.utmTemplates(key.accountId);
      return { success: true, data: found.map(shown) };
    },
  },

  createUtmTemplate: {
    rules: ({ body }) => templates.utmTemplateProblems(body),
    async run({ context, key, body }) {
      return { success: true, data: shown(await templates.createUtmTemplate(context, key.accountId, body)) };
    },
    location: (body) => `${apiPrefix}/utm-templates/${body.data.id}`,
  },

  updateUtmTemplate: {
    rules: ({ body }) => templates.utmTemplateProblems(body),
    async run({ context, key, params, body }) {
      const changed = await templates.updateUtmTemplate(context, key.accountId, params.id, body);
      return { success: true, data: shown(changed) };
    },
  },

  deleteUtmTemplate: {
    async run({ context, key, params }) {
      if (!(await context.writes.deleteUtmTemplate(key.accountId, params.id)))
        throw templates.utmTemplateNotFound();
    },
  },
};
