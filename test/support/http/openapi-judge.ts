import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { words } from '../words.ts';
import { resolve as resolveIn } from './openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: reads a foreign document, with any content
type Json = any;

/** A response to check against the OpenAPI document. */
export interface JudgedAnswer {
  readonly method: string;
  /** Path of the request as sent, with its query. */
  readonly path: string;
  readonly status: number;
  /** Returns a response header's value, or undefined or null if the header is missing. */
  readonly header: (name: string) => string | null | undefined;
  readonly headerNames: readonly string[];
  readonly text: string;
}

export interface Operation {
  readonly method: string;
  /** Path with placeholders such as `{id}`. */
  readonly path: string;
  readonly value: Json;
}

export interface Judge {
  readonly operations: readonly Operation[];
  /** Returns the documented operation for a request, or undefined if there is none. */
  operationOf(method: string, path: string): Operation | undefined;
  /**
   * @returns the first difference between the response and the document. Undefined if there is none, or if the
   * operation is not documented
   */
  complaintAbout(answer: JudgedAnswer): string | undefined;
  /** Returns the error in a webhook request's body, or undefined if the body is as documented. */
  eventComplaint(body: { readonly type: string }): string | undefined;
  /** Returns an operation's documented error codes, each with its status and an example. */
  failuresOf(operation: Operation): { code: string; status: number; example: Json }[];
}

/** Headers that belong to HTTP or the connection, which the document does not list per operation. */
const ofHttp = new Set(
  words(`
  date connection keep-alive content-length content-type transfer-encoding cache-control
  x-content-type-options
`),
);

/** Creates a checker that compares responses with the OpenAPI document, as a generated client would. */
export function createJudge(document: Json): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document });
  const coercing = new Ajv2020({ strict: false, coerceTypes: true });
  addFormats.default(coercing);

  const resolve = (value: Json): Json => resolveIn(value, document);
  const operations: Operation[] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, value]) => ({ method: method.toUpperCase(), path, value })),
  );

  const operationOf = (method: string, path: string): Operation | undefined => {
    const [asked = ''] = path.split(/[?#]/, 1);
    const wanted = method === 'HEAD' ? 'GET' : method;
    return operations
      .filter((one) => one.method === wanted && patternOf(one.path).test(asked))
      .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
  };

  const bodyComplaint = (schema: Json, body: unknown): string | undefined => {
    const reference = schema.$ref === undefined ? undefined : `document${schema.$ref}`;
    const validate = reference === undefined ? ajv.compile(schema) : ajv.getSchema(reference);
    if (validate === undefined) return `There is no ${reference}.`;
    return validate(body) === true ? undefined : ajv.errorsText(validate.errors);
  };

  /** Compiled validators by schema. Each schema is compiled only once, because a run checks thousands of headers. */
  const headerValidators = new Map<Json, ValidateFunction>();
  const headerValidatorOf = (schema: Json): ValidateFunction => {
    const known = headerValidators.get(schema);
    const validator = known ?? coercing.compile({ type: 'object', properties: { value: schema } });
    if (known === undefined) headerValidators.set(schema, validator);
    return validator;
  };
  const headerComplaint = (described: Json, { header, headerNames }: JudgedAnswer): string | undefined => {
    const known = new Map(
      Object.entries<Json>(described ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const stranger = headerNames.find((name) => !ofHttp.has(name) && !known.has(name));
    if (stranger !== undefined) return `the header ${stranger}`;
    for (const [name, reference] of known) {
      const { required, schema } = resolve(reference);
      const value = header(name) ?? undefined;
      if (value === undefined && required === true) return `no header ${name}`;
      if (value === undefined) continue;
      if (!headerValidatorOf(schema)({ value })) return `the header ${name}: ${value}`;
    }
    return undefined;
  };

  return {
    operations,
    operationOf,
    complaintAbout(answer) {
      const operation = operationOf(answer.method, answer.path);
      if (operation === undefined || answer.status === 405) return undefined;
      const where = `${operation.value.operationId} answers ${answer.status}`;
      const response = resolve(operation.value.responses[String(answer.status)]);
      if (response === undefined) return `${where}, which is not in the document: ${answer.text}`;
      const wrongHeader = headerComplaint(response.headers, answer);
      if (wrongHeader !== undefined) return `${where} with ${wrongHeader}`;
      const [type = ''] = (answer.header('content-type') ?? '').split(';');
      if (type !== 'application/json' && Object.hasOwn(response.content ?? {}, type)) return undefined;
      const content = response.content?.['application/json'];
      if (answer.method === 'HEAD' || content === undefined)
        return answer.text === '' ? undefined : `${where} with a body: ${answer.text}`;
      const body = JSON.parse(answer.text);
      const wrong = bodyComplaint(content.schema, body);
      if (wrong !== undefined) return `${where} with ${wrong}: ${answer.text}`;
      const disordered = content.example && misplacedKey(content.example, body);
      if (disordered)
        return `${where} with ${disordered} in a different position than documented: ${answer.text}`;
      const code = body.error?.code;
      return code === undefined || Object.hasOwn(content.examples, code)
        ? undefined
        : `${where} with ${code}, which is not in the document`;
    },
    eventComplaint(body) {
      const described = document.webhooks[body.type]?.post.requestBody.content['application/json'].schema;
      return described === undefined ? `${body.type} is not in the document` : bodyComplaint(described, body);
    },
    failuresOf({ value }) {
      return Object.entries<Json>(value.responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, response]) =>
          Object.entries<Json>(resolve(response).content['application/json'].examples).map(
            ([code, example]) => ({ code, status: Number(status), example: resolve(example).value }),
          ),
        );
    },
  };
}

/**
 * Returns the first key whose position differs from the documented example. Keys that only one of the two contains are
 * ignored.
 */
function misplacedKey(example: Json, body: Json): string | undefined {
  if (Array.isArray(example) && Array.isArray(body)) return misplacedKey(example[0], body[0]);
  if (Object(example) !== example || Object(body) !== body) return undefined;
  const documented = Object.keys(example).filter((key) => Object.hasOwn(body, key));
  const answered = Object.keys(body).filter((key) => Object.hasOwn(example, key));
  return (
    answered.find((key, at) => documented[at] !== key) ??
    documented.map((key) => misplacedKey(example[key], body[key])).find((key) => key !== undefined)
  );
}

/** Returns a pattern that matches requests to a path. One trailing slash is accepted. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}
