/**
 * `node:http` by another door. An `import` reads all that a built-in module exports, and in three of its exports
 * `node:http` loads the whole of `fetch`: some 35 ms of every start, and memory, for what a server never uses.
 */
export const { createServer } = process.getBuiltinModule('node:http');
