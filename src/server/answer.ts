import type { ServerResponse } from 'node:http';
import { errorAnswer, jsonHeaders } from '../contract/envelope.ts';

/** Sends an error response (CONTRACT §2). @param error its details are shown only if it is a Failure or Refusal */
export function sendError(response: ServerResponse, error: unknown, requestId: string): void {
  const { status, headers, body } = errorAnswer(error, requestId);
  sendJson(response, status, body, requestId, headers);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { ...jsonHeaders(requestId), 'content-length': length, ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}
