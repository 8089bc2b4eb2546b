import { apiPrefix } from '../contract/endpoint.ts';
import type { aliasEndpoints } from '../contract/links/aliases.ts';
import * as aliases from '../model/links/aliases.ts';
import { shortUrlOf } from '../model/links/codes/codes.ts';
import type { HostedCode } from '../model/links/link-records.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import { type ApiContext, callerOf, Existing, type Handlers } from './request/handler.ts';

function shown(context: ApiContext, { code, host }: HostedCode) {
  return { code, shortUrl: shortUrlOf(context.baseUrl(), code, host) };
}

export const aliasHandlers: Handlers<typeof aliasEndpoints> = {
  changeCode: {
    async run({ context, key, params, body, ifMatch, tag }) {
      const link = await aliases.changeCode(context, callerOf(key), params.id, body, ifMatch);
      tag(link.revision);
      const { id, code, updatedAt } = link;
      const { shortUrl } = shown(context, link);
      return {
        success: true,
        data: { id, shortCode: code, shortUrl, updatedAt: formatTimestamp(updatedAt) },
      };
    },
  },

  addAlias: {
    async run({ context, key, params, body }) {
      const { alias, isNew } = await aliases.addAlias(context, callerOf(key), params.id, body);
      const answer = { success: true as const, data: shown(context, alias) };
      return isNew ? answer : new Existing(answer);
    },
    location({ data }, { context, key }) {
      const { hostname } = new URL(data.shortUrl);
      const isDefault = hostname === (key.domain?.host ?? context.sharedHost());
      return `${apiPrefix}/aliases/${encodeURIComponent(data.code)}${isDefault ? '' : `?domain=${hostname}`}`;
    },
  },

  listAliases: {
    async run({ context, key, params }) {
      const found = await aliases.listAliases(context, key.accountId, params.id);
      return { success: true, data: found.map((code) => shown(context, code)) };
    },
  },

  removeAlias: {
    async run({ context, key, params, query }) {
      await aliases.removeAlias(context, callerOf(key), params.code, query.domain);
    },
  },
};
