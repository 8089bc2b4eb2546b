// The subset of the Model Context Protocol that tools need: one JSON-RPC 2.0 message per POST request, without a
// session. Supports revision 2025-03-26 and later (https://modelcontextprotocol.io/specification).

/** Revisions with an `initialize` handshake, newest first. */
const withHandshake = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
/**
 * Supported revisions. Since 2026-07-28, requests are independent of each other, and `server/discover` replaces the
 * handshake.
 */
export const versions: readonly string[] = ['2026-07-28', ...withHandshake];

export const errorCodes = {
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  unsupportedVersion: -32022,
} as const;

export type Id = string | number;

export interface Message {
  /** Request ID. Notifications have no ID and get no response. */
  readonly id?: Id;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A JSON-RPC protocol error. A tool's own errors are returned in the tool result instead. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Parses a message. @returns undefined for a response from the client, which is ignored. @throws ProtocolError */
export function readMessage(body: Readonly<Record<string, unknown>>): Message | undefined {
  const { jsonrpc, id, method, params = {} } = body;
  if (jsonrpc === '2.0' && method === undefined && ('result' in body || 'error' in body)) return undefined;
  const isGood =
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    (id === undefined || typeof id === 'string' || Number.isSafeInteger(id)) &&
    isRecord(params);
  if (isGood) return { ...(id !== undefined && { id: id as Id }), method, params };
  const wanted = 'Send one JSON-RPC 2.0 message with jsonrpc "2.0", method, params as an object, and id.';
  throw new ProtocolError(errorCodes.invalidRequest, wanted);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks the protocol version.
 * @param header `MCP-Protocol-Version`
 * @throws ProtocolError if the version is not supported
 */
export function checkVersion(header: string | readonly string[] | undefined): void {
  if (header === undefined || versions.includes(String(header))) return;
  const data = { supported: versions, requested: String(header) };
  throw new ProtocolError(
    errorCodes.unsupportedVersion,
    `This server supports the protocol versions ${versions.join(', ')}.`,
    data,
  );
}

/**
 * Returns the protocol version for the response to `initialize`: the client's version if it is supported, else the
 * newest version with a handshake.
 */
export function versionFor(wanted: unknown): string {
  return withHandshake.find((version) => version === wanted) ?? withHandshake[0];
}

/**
 * Returns the response for a result.
 * @param version value of `MCP-Protocol-Version`. Only the newest revision needs `resultType`
 */
export function resultMessage(id: Id, version: unknown, result: object): object {
  const isNewest = version === versions[0];
  return { jsonrpc: '2.0', id, result: isNewest ? { resultType: 'complete', ...result } : result };
}

export function errorMessage(id: unknown, { code, message, data }: ProtocolError): object {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { jsonrpc: '2.0', id: known, error: { code, message, ...(data !== undefined && { data }) } };
}
