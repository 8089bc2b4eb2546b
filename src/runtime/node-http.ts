/**
 * Node's HTTP server, loaded without an import. An import would evaluate every export of `node:http`, including the
 * exports for which Node loads its HTTP client (`WebSocket` and others). That takes 50 ms at startup and 16 MB of
 * memory.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
