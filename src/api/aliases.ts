import { apiPrefix } from '../contract/endpoint.ts';
import type { aliasEndpoints } from '../contract/links/aliases.ts';
import * as aliases from '../model/links/aliases.ts';
import { codeProblems, shortUrlOf } from '../model/links/codes.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import { type ApiContext, Existing, type Handlers } from './request/handler.ts';

function shown(context: ApiContext, code: string) {
  return { code, shortUrl: shortUrlOf(context.baseUrl(), code) };
}

export const aliasHandlers: Handlers<typeof aliasEndpoints> = {
  changeCode: {
    rules: ({ body, context }) => codeProblems(body, context),
    async run({ context, key, params, body }) {
      const { id, code, updatedAt } = await aliases.changeCode(
        context,
        key.accountId,
        params.id,
        body.customCode,
      );
      const { shortUrl } = shown(context, code);
      return {
        success: true,
        data: { id, shortCode: code, shortUrl, updatedAt: formatTimestamp(updatedAt) },
      };
    },
  },

  addAlias: {
    rules: ({ body, context }) => codeProblems(body, context),
    async run({ context, key, params, body }) {
      const { alias, isNew } = await aliases.addAlias(context, key.accountId, params.id, body.customCode);
      const answer = { success: true as const, data: shown(context, alias) };
      return isNew ? answer : new Existing(answer);
    },
    location: ({ data }) => `${apiPrefix}/aliases/${encodeURIComponent(data.code)}`,
  },

  listAliases: {
    async run({ context, key, params }) {
      const found = await aliases.listAliases(context, key.accountId, params.id);
      return { success: true, data: found.map((code) => shown(context, code)) };
    },
  },

  removeAlias: {
    async run({ context, key, params }) {
      await aliases.removeAlias(context, key.accountId, params.code);
      return undefined;
    },
  },
};
