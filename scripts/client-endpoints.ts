import * as z from 'zod';
import { methodOf } from '../src/client/groups.ts';
import { webhookEvents } from '../src/contract/accounts/webhook-events.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { endpoints } from '../src/contract/endpoints/endpoints.ts';
import { errors } from '../src/contract/errors.ts';
import { mayRepeat } from '../src/contract/fields.ts';
import { includable } from '../src/contract/links/link-answers.ts';
import { maxPageSize } from '../src/contract/links/links.ts';
import type { LinkField } from '../src/model/links/field-kinds.ts';
import { inputsOf } from '../src/model/links/link-field-values.ts';
import { draftInputs, linkFields } from '../src/model/links/link-fields.ts';
import { inputsOf as recordInputsOf } from '../src/model/record-fields.ts';
import { webhookFields } from '../src/model/webhooks/webhooks.ts';
import { version } from '../src/runtime/version.ts';

// Generates src/client/endpoints.ts and link-inputs.ts. They contain the contract as plain values and types, so that
// the client works without zod and its types.

const generatedNote =
  '// Generated from src/contract by scripts/client-endpoints.ts. Edit the contract instead.';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** A field of an input or result, to be written as a line in an interface. */
interface Field {
  readonly name: string;
  readonly type: string;
  readonly about: string | undefined;
  readonly isOptional: boolean;
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(type, { io, unrepresentable: 'any', reused: 'inline' }) as Schema;
}

function literals(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function typeOf(schema: Schema, root: Schema): string {
  const { $ref, type, items, properties } = schema;
  if ($ref !== undefined) return nameOf($ref, root);
  if (schema.allOf !== undefined) return schema.allOf.map((one) => typeOf(one, root)).join(' & ');
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.map((one) => typeOf(one, root)).join(' | ');
  if (schema.enum !== undefined) return literals(schema.enum);
  if ('const' in schema) return literals([schema.const]);
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, root)).join(' | ');
  if (properties !== undefined) return `{\n${linesOf(fieldsOf(schema, root))}\n}`;
  if (type === 'array' && items !== undefined) return `(${typeOf(items, root)})[]`;
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  if (typeof schema.additionalProperties === 'object')
    return `Record<string, ${typeOf(schema.additionalProperties, root)}>`;
  if (Object.keys(schema).every((word) => word === 'description')) return 'unknown';
  throw new Error(`Could not derive a type for the schema ${JSON.stringify(schema)}.`);
}

/** Type definitions by name. The map ensures that each definition is written only once. */
const named = new Map<string, string>();

/** Fields of each object that is written as a named type, keyed by type name. */
const objects = new Map<string, readonly Field[]>();

/** An object extends an earlier object only if that saves at least this many lines. */
const worthReference = 8;

/** Formats an object. Fields shared with an earlier object are inherited if that saves enough lines. */
function objectOf(name: string, fields: readonly Field[]): { from: string | undefined; own: string } {
  const lines = new Set(fields.map(lineOf));
  const others = [...objects].map(([other, theirs]) => {
    const [common, missing] = partition(theirs, (field) => lines.has(lineOf(field)));
    return { other, common, missing, saved: linesIn(common) - Math.min(common.length, missing.length) };
  });
  objects.set(name, fields);
  const [best] = others.sort((a, b) => b.saved - a.saved);
  if (best === undefined || best.saved < worthReference) return { from: undefined, own: linesOf(fields) };
  const { other, common, missing } = best;
  const taken = new Set(common.map(lineOf));
  return {
    from:
      missing.length === 0
        ? other
        : missing.length <= common.length
          ? `Omit<${other}, ${literals(missing.map((field) => field.name))}>`
          : `Pick<${other}, ${literals(common.map((field) => field.name))}>`,
    own: linesOf(fields.filter((field) => !taken.has(lineOf(field)))),
  };
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function linesIn(fields: readonly Field[]): number {
  return linesOf(fields).split('\n').length;
}

function interfaceOf(name: string, fields: readonly Field[]): string {
  const { from, own } = objectOf(name, fields);
  if (own === '') return `export type ${name} = ${from};`;
  return `export interface ${name} ${from === undefined ? '' : `extends ${from} `}{\n${own}\n}`;
}

/** Formats a named object as a type, not an interface, so that it is assignable to a record. */
function namedOf(name: string, schema: Schema, root: Schema): string {
  if (schema.properties === undefined || schema.anyOf !== undefined || schema.oneOf !== undefined)
    return typeOf(schema, root);
  const { from, own } = objectOf(name, fieldsOf(schema, root));
  return [from, own && `{\n${own}\n}`].filter(Boolean).join(' & ');
}

function nameOf(ref: string, root: Schema): string {
  const name = ref.replace('#/$defs/', '');
  // A request body is named after the input type of its call.
  const input = name.replace(/Request$/, 'Input');
  if (input !== name) return input;
  if (name.startsWith('__')) return typeOf(definition(ref, root), root);
  if (!named.has(name)) named.set(name, namedOf(name, definition(ref, root), root));
  return name;
}

function definition(ref: string, root: Schema): Schema {
  const found = root.$defs?.[ref.replace('#/$defs/', '')];
  if (found === undefined) throw new Error(`${ref} is not defined.`);
  return found;
}

function fieldsOf({ properties = {}, required = [] }: Schema, root: Schema): Field[] {
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeOf(field, root),
    about: field.description,
    isOptional: !required.includes(name),
  }));
}

/**
 * Returns the query parameters as fields with the types of their values. The schema alone gives only the type of the
 * string in the URL.
 */
function queryFieldsOf(query: NonNullable<Endpoint['query']>): Field[] {
  return Object.entries(query).map(([name, field]) => {
    const refused = field.safeParse('?').error?.issues[0];
    const words = refused?.code === 'custom' ? refused.params?.['allowed'] : undefined;
    const schema = schemaOf(field, 'input');
    const type = mayRepeat(field)
      ? 'readonly string[]'
      : Array.isArray(words)
        ? `readonly (${literals(words)})[]`
        : typeOf(schema, schema);
    return {
      name,
      type,
      about: schema.description,
      isOptional: field.safeParse(undefined).success,
    };
  });
}

function comment(...paragraphs: readonly (string | undefined)[]): string {
  const [first, ...others] = paragraphs.flatMap((text) => text?.replaceAll('*/', '* /') ?? []);
  if (first === undefined) return '';
  return others.length === 0
    ? `/** ${first} */\n`
    : `/**\n${[first, ...others].map((text) => ` * ${text}`).join('\n *\n')}\n */\n`;
}

function linesOf(fields: readonly Field[]): string {
  return fields.map(lineOf).join('\n');
}

function lineOf({ name, type, about, isOptional }: Field): string {
  return isOptional
    ? `${comment(about)}${name}?: ${type} | undefined;`
    : `${comment(about)}${name}: ${type};`;
}

/** Returns the result type of a call whose response is not JSON. */
function withoutBody({ files, isStream }: Endpoint['success']): string {
  if (files === undefined) return 'undefined';
  return isStream ? 'ReadableStream<Uint8Array>' : 'Blob';
}

/**
 * Returns a call's result type. For a page of a list, this is `data` and `pagination`; otherwise it is the only field
 * besides `success`.
 */
function resultOf(body: z.ZodType): string {
  const whole = schemaOf(body, 'output');
  return (whole.anyOf ?? [whole]).map((one) => dataOf(one, whole)).join(' | ');
}

function dataOf(schema: Schema, whole: Schema): string {
  const object = schema.$ref === undefined ? schema : definition(schema.$ref, whole);
  const { success: _, ...rest } = object.properties ?? {};
  const [first] = Object.values(rest);
  if (first === undefined) throw new Error('The response of an endpoint contains no field except success.');
  return 'pagination' in rest ? typeOf({ ...object, properties: rest }, whole) : typeOf(first, whole);
}

/** Returns the type of the events in a stream. */
function eventsOf(events: readonly z.ZodType[]): string {
  return events
    .map((event) => schemaOf(z.object({ event }), 'output'))
    .map((whole) => typeOf(whole.properties?.['event'] ?? {}, whole))
    .join(' | ');
}

function call(name: string, endpoint: Endpoint): { types: string; facts: string; signature: string } {
  const { method, path, params = {}, query = {}, body, sent, success } = endpoint;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const bodySchema = body === undefined ? {} : schemaOf(z.object(body), 'input');
  const fields = [...fieldsOf(bodySchema, bodySchema), ...queryFieldsOf(query)];
  const forms = sent === undefined ? undefined : schemaOf(sent, 'input');
  const repeated = Object.keys(query).filter((field) => mayRepeat(query[field]));
  const mayBeAbsent = sent === undefined && fields.every(({ isOptional }) => isOptional);
  const input = `${title}Input`;
  const result = success.body === undefined ? withoutBody(success) : `${title}Result`;
  const narrows = 'include' in query && success.body !== undefined;
  const parameters = [
    ...Object.entries(params).map(([parameter, field]) => {
      const isNumber = schemaOf(field, 'input').type === 'integer';
      return `${parameter}: ${isNumber ? 'number | string' : 'string'}`;
    }),
    ...(fields.length === 0
      ? []
      : [
          `input${mayBeAbsent ? '?' : ''}: ${input}${narrows ? ' & { readonly include?: Include | undefined }' : ''}`,
        ]),
    'options?: CallOptions',
  ];
  return {
    types: [
      ...(forms !== undefined
        ? [`export type ${title}Input = ${typeOf(forms, forms)};`]
        : fields.length > 0
          ? [interfaceOf(`${title}Input`, fields)]
          : []),
      ...(success.body === undefined ? [] : [`export type ${title}Result = ${resultOf(success.body)};`]),
      ...(success.events === undefined ? [] : [`export type ${title}Data = ${eventsOf(success.events)};`]),
    ]
      .map((one) => `${one}\n`)
      .join('\n'),
    facts: `${name}: ${JSON.stringify({
      method,
      path,
      ...(fields.length > 0 && { input: body === undefined ? 'query' : 'body' }),
      ...(repeated.length > 0 && { repeated }),
      ...(success.files !== undefined && { files: success.files }),
      ...(success.isStream !== undefined && { isStream: true }),
    })},`,
    signature: `${comment(`${endpoint.summary}.`, endpoint.description)}${name}${
      narrows ? `<const Include extends NonNullable<${input}['include']> = []>` : ''
    }(${parameters.join(', ')}): Promise<${
      narrows ? `Included<${result}, NonNullable<${input}['include']>[number], Include>` : result
    }>;`,
  };
}

/** Returns the input fields of a new link, with the properties that a form needs. */
function linkInputs() {
  const ofTable = inputsOf('shorten').map(({ name, kind, option, multiline, choices, between, onlyNew }) => ({
    name,
    kind,
    isInverted: (linkFields[name] as LinkField).isInverted,
    option,
    multiline,
    choices,
    between,
    onlyNew,
  }));
  return [
    { name: 'customCode', kind: 'word', option: 'code' },
    ...draftInputs.map(({ name, kind, option }) => ({ name, kind, option })),
    ...ofTable,
    { name: 'tags', kind: 'list', option: 'tag' },
  ];
}

/** Returns the webhook settings that the form shows. */
function webhookInputs() {
  return recordInputsOf(webhookFields).map(({ name, kind, nullable, choices, input: { max } }) => ({
    name,
    kind,
    isRequired: nullable ? undefined : true,
    choices,
    max,
  }));
}

/**
 * Formats each resource's functions as lines in an interface.
 * @throws Error if two functions have the same name
 */
function resourcesOf(calls: readonly (readonly [name: string, endpoint: Endpoint])[]): string {
  const found = new Map<string, Map<string, string>>();
  for (const [name, { path, summary }] of calls) {
    const [resource, method] = methodOf(name, path);
    if (Object.hasOwn(endpoints, resource)) continue;
    const methods = found.get(resource) ?? new Map<string, string>();
    if (methods.has(method))
      throw new Error(`Two endpoints would have the function name ${resource}.${method}.`);
    methods.set(method, `${comment(`${summary}.`)}${method}: Calls['${name}'];`);
    found.set(resource, methods);
  }
  return [...found]
    .map(([resource, lines]) => `${resource}: {\n${[...lines.values()].join('\n')}\n};`)
    .join('\n');
}

/** Returns the content of src/client/endpoints.ts. */
export function clientEndpoints(): string {
  const everything = Object.entries<Endpoint>(endpoints);
  const calls = everything.map(([name, endpoint]) => ({ ...call(name, endpoint), name, endpoint }));
  const webhookEvent = eventsOf(webhookEvents);
  // Streams get no generated function, because the client has its own code to follow them (src/client/events.ts).
  const called = calls.filter(({ endpoint }) => endpoint.success.events === undefined);
  return `${generatedNote}
import type { CallOptions } from './call.ts';
import type { Included } from './included.ts';

/** The version of the client, which is that of Linkfold. */
export const version: string = ${JSON.stringify(version)};

/** Every error code of the API, as of this version. */
export type ErrorCode = ${literals(Object.keys(errors))};

/** Values of \`include\`: fields that can be added to a returned link. */
export const includable = ${JSON.stringify(includable)} as const;

/** Maximum number of links per page of a list. */
export const maxPageSize = ${maxPageSize};

/** Method and path of each endpoint, and the part of the request that contains each input field. */
export const endpoints = {
${calls.map(({ facts }) => facts).join('\n')}
} as const;

${[...named].map(([name, type]) => `export type ${name} = ${type};`).join('\n')}

${calls.map(({ types }) => types).join('\n')}

/** The body of a webhook request, by its \`type\`. A newer server may send other types. */
export type WebhookEvent = ${webhookEvent};

/** One function per endpoint. */
export interface Calls {
${called.map(({ signature }) => signature).join('\n\n')}
}

/** The functions by resource: \`createFolder\` is \`folders.create\`. */
export interface Resources {
${resourcesOf(called.map(({ name, endpoint }) => [name, endpoint]))}
}
`;
}

/**
 * Returns the content of src/client/link-inputs.ts. The file is separate so that programs without forms do not load it.
 */
export function clientLinkInputs(): string {
  return `${generatedNote}
/** Input fields of a new link, by type and by CLI option. */
export const linkInputs = ${JSON.stringify(linkInputs())} as const;

/** Settings of webhooks, by type. */
export const webhookInputs = ${JSON.stringify(webhookInputs())} as const;
`;
}
