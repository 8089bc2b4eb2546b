import * as z from 'zod';
import { type Endpoint, isWrite } from '../../contract/endpoint.ts';
import { type EndpointName, endpoints } from '../../contract/endpoints/endpoints.ts';
import type { Shape } from '../../contract/fields.ts';
import { includable } from '../../contract/links/link-answers.ts';
import { simplify } from '../../contract/openapi/schemas.ts';

/** A tool for AI assistants: an endpoint with a name and a description. No tool deletes anything. */
interface ToolDraft {
  readonly endpoint: EndpointName;
  /** Additional endpoints, each with the arguments that make the tool call it. */
  readonly others?: Partial<Readonly<Record<EndpointName, readonly string[]>>>;
  /** Text prepended to the endpoint's own description. */
  readonly about?: string;
  /**
   * Arguments to list in the schema (default: all). Unlisted arguments also work, but a short list is easier to use.
   */
  readonly takes?: readonly string[];
  /** Fixed arguments (`sets`) and default arguments. */
  readonly sets?: Readonly<Record<string, unknown>>;
  readonly defaults?: Readonly<Record<string, unknown>>;
}

const ofLinks = ['title', 'description', 'tags', 'expiresAt', 'startsAt', 'expiredUrl', 'maxClicks'];

const drafts: Readonly<Record<string, ToolDraft>> = {
  find_links: {
    endpoint: 'listLinks',
    takes: [
      ...['search', 'status', 'tag', 'tagMatch', 'folderId', 'domain', 'destinationHost', 'archived'],
      ...['createdAfter', 'createdBefore', 'sort', 'order', 'page', 'limit', 'include'],
    ],
    defaults: { include: ['title', 'expiresAt', 'folderId', 'tags', 'status', 'lastClickAt'] },
  },
  get_link: { endpoint: 'getLink', takes: ['id'], sets: { include: [...includable] } },
  get_link_by_code: { endpoint: 'getLinkByCode' },
  shorten_url: {
    endpoint: 'shorten',
    takes: ['url', 'customCode', 'domain', 'folderId', ...ofLinks, 'ifExists'],
  },
  update_link: {
    endpoint: 'updateLink',
    about:
      'Can also change the code, destination and folder. The tool stops at the first error; `done` then lists the completed changes.',
    takes: ['id', ...ofLinks, 'disabled', 'archived', 'rules'],
    others: { changeCode: ['customCode', 'domain'], repointLink: ['url'], moveLink: ['folderId'] },
  },
  repoint_link: { endpoint: 'repointLink' },
  disable_link: {
    endpoint: 'updateLink',
    about:
      'Disables a link without deleting it: visitors get 410. To enable it again, use `update_link` with `disabled` false.',
    takes: ['id'],
    sets: { disabled: true },
  },
  move_link: { endpoint: 'moveLink' },
  simulate_visit: { endpoint: 'simulateLink', takes: ['id', 'visit'] },
  account_statistics: { endpoint: 'accountStatistics' },
  link_statistics: { endpoint: 'linkStatistics' },
  list_folders: { endpoint: 'listFolders', takes: [] },
  list_tags: { endpoint: 'listTags', takes: [] },
  draw_qr_code: { endpoint: 'linkQr', sets: { format: 'png' }, takes: ['id', 'size', 'color', 'background'] },
};

export interface Tool extends ToolDraft {
  readonly name: string;
  readonly value: Endpoint;
}

export const tools: readonly Tool[] = Object.entries(drafts).map(([name, draft]) => ({
  name,
  ...draft,
  value: endpoints[draft.endpoint],
}));

/** One endpoint call with its arguments. */
export interface Step {
  readonly tool: Tool;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Returns the API calls that a tool makes. Unknown arguments go to the first endpoint, which rejects them. */
export function stepsOf(tool: Tool, given: Readonly<Record<string, unknown>>): Step[] {
  const { id, ...rest }: Record<string, unknown> = given;
  const steps: Step[] = [];
  for (const [endpoint, names] of Object.entries(tool.others ?? {}) as [EndpointName, readonly string[]][]) {
    const own = Object.entries(rest).filter(([name]) => names.includes(name));
    for (const [name] of own) delete rest[name];
    const { name } = tool;
    if (own.length > 0)
      steps.push({
        tool: { name, endpoint, value: endpoints[endpoint] },
        given: { id, ...Object.fromEntries(own) },
      });
  }
  if (steps.length === 0) return [{ tool, given }];
  return Object.keys(rest).length === 0 ? steps : [{ tool, given: { id, ...rest } }, ...steps];
}

/** Parameters, query and body of an endpoint call. */
export interface EndpointArguments {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Assigns arguments to path, query and body. Unknown arguments go to the body or query, where they are rejected. */
export function endpointArguments(
  { value, defaults, sets }: Tool,
  given: Readonly<Record<string, unknown>>,
): EndpointArguments {
  const { params = {}, query = {}, body } = value;
  const asking = { params: {}, query: {}, body: {} } as Record<
    keyof EndpointArguments,
    Record<string, unknown>
  >;
  for (const [name, argument] of Object.entries({ ...defaults, ...given, ...sets })) {
    if (Object.hasOwn(params, name)) asking.params[name] = String(argument);
    else if (body !== undefined && !Object.hasOwn(query, name)) asking.body[name] = argument;
    else if (argument !== null) asking.query[name] = textOf(argument);
  }
  return asking;
}

/** Converts an argument to the string that a URL would contain. */
function textOf(argument: unknown): string | string[] {
  return Array.isArray(argument) ? argument.map(String) : String(argument);
}

const described = new Map<string, object>();

/** Returns a tool as listed by `tools/list`. Cached: the schema of a link takes a few milliseconds to build. */
export function descriptionOf(tool: Tool): object {
  const found = described.get(tool.name);
  if (found !== undefined) return found;
  const { name, value, about } = tool;
  const changes = isWrite(value);
  const made = {
    name,
    title: value.summary,
    description: [about, value.description].filter(Boolean).join(' '),
    inputSchema: inputSchemaOf(tool),
    annotations: {
      readOnlyHint: !changes,
      ...(changes && { destructiveHint: value.method !== 'POST', idempotentHint: value.method !== 'POST' }),
      openWorldHint: false,
    },
  };
  described.set(name, made);
  return made;
}

function inputSchemaOf({ value, takes, sets = {}, others = {} }: Tool): object {
  const all: Shape = { ...value.params, ...value.query, ...value.body };
  const shown = Object.entries(all).filter(
    ([name]) => !Object.hasOwn(sets, name) && (takes?.includes(name) ?? true),
  );
  const more = Object.entries(others).flatMap(([endpoint, names]) =>
    names.map((name) => [
      name,
      (endpoints as Readonly<Record<string, Endpoint>>)[endpoint]?.body?.[name]?.optional(),
    ]),
  );
  const schema = z.object(Object.fromEntries([...shown, ...more]));
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: simplify,
  });
}
