import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assistantsEndpoint, assistantsPath, messageStatuses } from '../../contract/assistants.ts';
import type { Actor } from '../../model/accounts/actors.ts';
import { version } from '../../runtime/version.ts';
import { type AuthOptions, authorize, requireAllowed } from '../request/authenticate.ts';
import { askForBody, checkDeclaredSize, checkMediaType } from '../request/body.ts';
import type { Ask, InnerCalls } from '../request/inner-calls.ts';
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
/**
 * How long a client may cache the list of tools, in milliseconds. The list can change with a new version of Linkfold.
 */
const cacheMs = 3_600_000;
const serverInfo = { name: 'linkfold', title: 'Linkfold', version };
const about = { capabilities: { tools: {} }, instructions };

/** Mounts the stateless MCP endpoint. Its tools are API endpoints, called with the client's key. */
export function mountAssistants(fastify: FastifyInstance, options: AuthOptions, inner: InnerCalls): void {
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
        // A notification, or a response from the client, gets only a status code.
        if (message?.id === undefined) return reply.code(messageStatuses.heard).send();
        return resultMessage(message.id, spoken, await resultOf(inner, message, request, reply));
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
  inner: InnerCalls,
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
      return call(inner, params, request, reply);
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

/** Calls a tool. An API error becomes the tool's result, so that the assistant can read how to fix the call. */
async function call(
  inner: InnerCalls,
  { name, arguments: given = {} }: Message['params'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new ProtocolError(errorCodes.invalidParams, 'Tool not found.');
  if (!isRecord(given)) throw new ProtocolError(errorCodes.invalidParams, 'arguments must be an object.');
  const content: object[] = [];
  const done: string[] = [];
  const ask = inner.askFor(request, reply);
  try {
    for (const step of stepsOf(tool, given)) {
      content.push(await contentOf(ask, step));
      done.push(...Object.keys(step.given).filter((argument) => argument !== 'id'));
    }
    return { content };
  } catch (error) {
    const { requestId: _, ...said } = inner.refusalOf(error, request).body.error;
    const text = JSON.stringify({ ...said, ...(done.length > 0 && { done }) });
    return { content: [{ type: 'text', text }], isError: true };
  }
}

async function contentOf(ask: Ask, { tool, given }: Step): Promise<object> {
  // Requests strict handling, so that misspelled arguments are rejected.
  const { body, type } = await ask(tool.endpoint, { ...endpointArguments(tool, given), isStrict: true });
  if (!((body as unknown) instanceof Uint8Array)) return { type: 'text', text: JSON.stringify(body) };
  const data = Buffer.from(body as unknown as Uint8Array).toString('base64');
  return { type: 'image', data, mimeType: type };
}
