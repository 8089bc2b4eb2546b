import { apiPrefix } from '../contract/endpoint.ts';
import type { tagEndpoints } from '../contract/links/tags.ts';
import { type Problem, problem } from '../model/failures.ts';
import { recordId } from '../model/ids.ts';
import * as tags from '../model/links/tags.ts';
import { apiRecord } from '../model/record-fields.ts';
import { daysOfGroups, zoneProblems } from './clicks-by-day.ts';
import type { Handlers } from './request/handler.ts';
import { answerList } from './request/long-work.ts';

function nameProblems({ body }: { body: { name?: string } }): Problem[] {
  const problem = body.name === undefined ? undefined : tags.tagNameProblem(body.name, 'name');
  return problem === undefined ? [] : [problem];
}

function shown(tag: tags.Tag) {
  return apiRecord(tags.tagFields, tag);
}

export const tagHandlers: Handlers<typeof tagEndpoints> = {
  listTags: {
    rules: ({ query }) => zoneProblems(query),
    async run({ context, key, query }) {
      const daysOf = await daysOfGroups(context, key.accountId, 'tag', query);
      return answerList(key.accountId, 'data', tags.listTags(context, key.accountId), (tag) => ({
        ...shown(tag),
        ...daysOf(tag.id),
      }));
    },
  },

  createTag: {
    rules: nameProblems,
    async run({ context, key, body }) {
      return { success: true, data: shown(await tags.createTag(context, key.accountId, body.name)) };
    },
    location: (body) => `${apiPrefix}/tags/${body.data.id}`,
  },

  renameTag: {
    rules: nameProblems,
    async run({ context, key, params, body }) {
      const tag = await context.writes.renameTag(
        key.accountId,
        params.id,
        tags.tagName(body.name),
        context.now(),
      );
      return { success: true, data: shown(tag) };
    },
  },

  mergeTags: {
    rules: ({ params, body: { into } }) =>
      into !== undefined && recordId(into) === params.id
        ? [problem('into', 'not_allowed', 'into must differ from the tag in the path.')]
        : [],
    async run({ context, key, params, body }) {
      const tag = await context.writes.mergeTags(
        key.accountId,
        params.id,
        recordId(body.into),
        context.now(),
      );
      return { success: true, data: shown(tag) };
    },
  },

  deleteTag: {
    async run({ context, key, params }) {
      if (!(await context.writes.deleteTag(key.accountId, params.id))) throw tags.tagNotFound();
    },
  },
};
