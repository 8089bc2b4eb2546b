import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assistantsEndpoint, assistantsPath, messageStatuses } from '../../contract/assistants.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { EndpointName } from '../../contract/endpoints/endpoints.ts';
import type { ErrorEnvelope } from '../../contract/envelope.ts';
import type { Actor } from '../../model/accounts/actors.ts';
import { version } from '../../runtime/version.ts';
import { type AuthOptions, authorize, requireAllowed } from '../request/authenticate.ts';
import { askForBody, checkDeclaredSize, checkMediaType } from '../request/body.ts';
import { type HandlerReply, handleCall } from '../request/handle.ts';
import type { Handler } from '../request/handler.ts';
import {
  checkVersion,
  errorCodes,
  errorMessage,
  isRecord,
  type Message,
  ProtocolError,
  readMessage,
  resultMessage,
  versionFor,
  versions,
} from './protocol.ts';
import { descriptionOf, endpointArguments, type Step, stepsOf, type Tool, tools } from './tools.ts';

const instructions =
  'Manages the short links of a Linkfold account. Find links before you change them; changes are public immediately. You cannot delete anything: disable a link instead.';
/** How long a client may cache the list of tools, ms. A newer version may change it. */
const cacheMs = 3_600_000;
const serverInfo = { name: 'linkfold', title: 'Linkfold', version };
const about = { capabilities: { tools: {} }, instructions };

export interface AssistantOptions extends AuthOptions {
  readonly handlers: Readonly<Record<EndpointName, Handler<Endpoint>>>;
  /** Turns an error into the API's error object, and counts and logs it. */
  readonly explain: (error: unknown, request: FastifyRequest) => ErrorEnvelope['error'];
}

/** Mounts the MCP endpoint: tools are API endpoints, called with the caller's key. Stateless between requests. */
export function mountAssistants(fastify: FastifyInstance, options: AssistantOptions): void {
  fastify.route({
    method: 'POST',
    url: assistantsPath,
    config: { endpoint: assistantsEndpoint, route: 'mcp' },
    onRequest: async (request, reply) => {
      checkDeclaredSize(request);
      request.actor = await authorize(options, assistantsEndpoint, request, reply);
      checkMediaType(request, false);
      askForBody(request, reply);
    },
    handler: async (request, reply) => {
      const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
      try {
        const spoken = request.headers['mcp-protocol-version'];
        checkVersion(spoken);
        const message = readMessage(body);
        // A notification gets no result.
        if (message?.id === undefined) return reply.code(messageStatuses.heard).send();
        return resultMessage(message.id, spoken, await resultOf(options, message, request, reply));
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        const isOfMessage =
          error.code === errorCodes.unknownMethod || error.code === errorCodes.invalidParams;
        if (!isOfMessage) reply.code(messageStatuses.refused);
        return errorMessage(body['id'], error);
      }
    },
  });
}

async function resultOf(
  options: AssistantOptions,
  { method, params }: Message,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const kept = { ttlMs: cacheMs, cacheScope: 'private' };
  switch (method) {
    case 'initialize':
      return { protocolVersion: versionFor(params['protocolVersion']), serverInfo, ...about };
    case 'server/discover':
      return {
        supportedVersions: versions,
        ...about,
        ...kept,
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: tools.filter((tool) => isFor(tool, request.actor)).map(descriptionOf), ...kept };
    case 'tools/call':
      return call(options, params, request, reply);
    default:
      throw new ProtocolError(
        errorCodes.unknownMethod,
        `Method "${method.slice(0, 64)}" not found. Only tools are supported.`,
      );
  }
}

function isFor({ value }: Tool, actor: Actor | null): boolean {
  try {
    if (actor === null) return false;
    requireAllowed(actor.key, value);
    return true;
  } catch {
    return false;
  }
}

/** A rejection by the API becomes a tool result, so that the assistant can read how to fix it. */
async function call(
  options: AssistantOptions,
  { name, arguments: given = {} }: Message['params'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new ProtocolError(errorCodes.invalidParams, 'Tool not found.');
  if (!isRecord(given)) throw new ProtocolError(errorCodes.invalidParams, 'arguments must be an object.');
  const content: object[] = [];
  const done: string[] = [];
  try {
    for (const step of stepsOf(tool, given)) {
      content.push(await contentOf(options, step, request, reply));
      done.push(...Object.keys(step.given).filter((argument) => argument !== 'id'));
    }
    return { content };
  } catch (error) {
    const { requestId: _, ...said } = options.explain(error, request);
    const text = JSON.stringify({ ...said, ...(done.length > 0 && { done }) });
    return { content: [{ type: 'text', text }], isError: true };
  }
}

async function contentOf(
  options: AssistantOptions,
  { tool, given }: Step,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  if (request.actor !== null) requireAllowed(request.actor.key, tool.value);
  const { headers, replyStub } = headersFor(reply);
  const { authorization } = request.headers;
  const asked = {
    ...endpointArguments(tool, given),
    id: request.id,
    actor: request.actor,
    method: tool.value.method,
    // Strict handling, so that misspelled arguments are rejected.
    headers: { prefer: 'handling=strict', ...(authorization !== undefined && { authorization }) },
  };
  const answer = await handleCall(options, tool.value, options.handlers[tool.endpoint], asked, replyStub);
  if (!(answer instanceof Uint8Array)) return { type: 'text', text: JSON.stringify(answer) };
  const data = Buffer.from(answer).toString('base64');
  return { type: 'image', data, mimeType: headers.get('content-type') };
}

/** Collects the headers of a tool result, which must not become headers of the MCP response. */
function headersFor({ raw }: FastifyReply): { headers: Map<string, unknown>; replyStub: HandlerReply } {
  const headers = new Map<string, unknown>();
  const replyStub = {
    raw,
    code: () => replyStub,
    header: (name: string, value: unknown) => void headers.set(name, value),
    headers: () => replyStub,
  };
  return { headers, replyStub: replyStub as unknown as HandlerReply };
}
