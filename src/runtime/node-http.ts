/**
 * Node's HTTP. An import would read every name that `node:http` exports, also those for which Node loads its HTTP client
 * (`WebSocket` and others): 50 ms of a start, and 16 MB for as long as the process lives.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
