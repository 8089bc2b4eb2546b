import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Random } from '../random/random.ts';
import type { Asked } from './ask.ts';
import { oddly, schemaOf, valueFor } from './documented-values.ts';
import { document, resolve } from './openapi.ts';

// Generates requests from the OpenAPI document, as a generated client would send them, and some invalid requests.

// biome-ignore lint/suspicious/noExplicitAny: reads a foreign document, with any content
type Json = any;

export interface DocumentedRequest {
  readonly operationId: string;
  readonly request: Asked & { readonly method: string };
  /** True if the document allows everything that is sent. */
  readonly isAllowed: boolean;
}

/** IDs of existing records in the account, used for path parameters and fields. */
export type Known = readonly string[];

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema: Json;
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', ...document });

const validators = new Map<Json, ValidateFunction>();

function allows(schema: Json, value: Json): boolean {
  const known = validators.get(schema);
  const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
  const validate = known ?? ajv.compile(whole);
  validators.set(schema, validate);
  return validate(value);
}

const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
    parameters: (operation.parameters ?? []).map((one: Json) => resolve(one)) as Parameter[],
  })),
);

const oddTexts = [
  '',
  ' ',
  '-1',
  '1.5',
  'x',
  'true',
  '2027-02-30',
  'a,b',
  '0198c5a0',
  '\u200b',
  'x'.repeat(300),
];

/** Returns a parameter's values in a URL, and whether the OpenAPI document allows them. */
function written({ schema, explode }: Parameter, random: Random, known: Known) {
  if (random.chance(0.15)) {
    const text = random.pick(oddTexts);
    const { type } = schemaOf(schema);
    const list = text.split(',').filter((one) => one.trim() !== '');
    const meant = type === 'array' ? list : type === 'string' ? text : undefined;
    return { texts: [text], isAllowed: meant !== undefined && allows(schema, meant) };
  }
  const value = valueFor(schema, random, known);
  if (!Array.isArray(value)) return { texts: [String(value)], isAllowed: allows(schema, value) };
  const texts = explode || random.chance(0.3) ? value.map(String) : [value.join(',')];
  return { texts, isAllowed: allows(schema, value) };
}

export function documentedRequest(random: Random, known: Known): DocumentedRequest {
  const { method, path, operation, parameters } = random.pick(operations);
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  let isAllowed = true;
  let target = path;
  for (const parameter of parameters) {
    const { name } = parameter;
    if (parameter.in === 'path') {
      const value = random.chance(0.05) ? 'no-such' : idFor(schemaOf(parameter.schema), random, known);
      isAllowed &&= allows(parameter.schema, value);
      target = target.replace(`{${name}}`, () => encodeURIComponent(value));
      continue;
    }
    const share = Math.min(0.4, 2 / parameters.length);
    if (parameter.required !== true && !random.chance(share)) continue;
    const made = written(parameter, random, known);
    if (parameter.in === 'query') {
      isAllowed &&= made.isAllowed;
      for (const text of made.texts) query.append(name, text);
    } else if (made.isAllowed) headers[name] = made.texts[0] ?? '';
  }
  const body = bodyFor(operation, random, known);
  isAllowed &&= body.isAllowed;
  if (body.text !== undefined) headers['content-type'] = 'application/json';
  const asked = query.size === 0 ? target : `${target}?${query}`;
  return {
    operationId: operation.operationId,
    request: {
      method: method === 'GET' && random.chance(0.1) ? 'HEAD' : method,
      path: asked,
      headers,
      body: body.text,
    },
    isAllowed,
  };
}

function idFor(schema: Json, random: Random, known: Known): string {
  return known.length > 0 && random.chance(0.8)
    ? random.pick(known)
    : String(valueFor(schema, random, known)) || 'x';
}

function bodyFor({ requestBody }: Json, random: Random, known: Known) {
  if (requestBody === undefined) return { text: undefined, isAllowed: true };
  if (random.chance(0.02)) return { text: undefined, isAllowed: requestBody.required !== true };
  const { schema } = requestBody.content['application/json'];
  const good = valueFor(schema, random, known);
  const value = random.chance(0.3) ? oddly(good, random) : good;
  const text = JSON.stringify(value);
  return { text, isAllowed: allows(schema, value) };
}
