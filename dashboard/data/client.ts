import { ApiError, createFunctions, type Functions, Unreachable } from '../../src/client/client.ts';
import { recordFailure, recordResponse } from './connection.ts';
import { sessionEnded, signInAgain } from './session-state.ts';

/** Error codes that mean that the session has ended. */
const noSession: ReadonlySet<string> = new Set([
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'EXPIRED_API_KEY',
  'INVALID_SESSION',
]);

/** API client that uses the session cookie. Every call updates the connection and session state. */
export const api: Functions = watched(
  createFunctions({ baseUrl: location.origin, apiKey: null, retries: 1 }),
);

type Call = (...given: unknown[]) => unknown;

function watched(client: Functions): Functions {
  const { allLinks, allClicks, events } = client;
  const calls = Object.entries(client).map(([name, call]) => [
    name,
    async (...given: unknown[]) => {
      try {
        const answer = await (call as Call)(...given);
        recordResponse();
        return answer;
      } catch (error) {
        if (error instanceof Unreachable) recordFailure();
        if (error instanceof ApiError) recordResponse();
        if (error instanceof ApiError && noSession.has(error.code)) sessionEnded();
        const asksAgain = error instanceof ApiError && error.code === 'REAUTHENTICATION_REQUIRED';
        if (asksAgain && (await signInAgain())) return await (call as Call)(...given);
        throw error;
      }
    },
  ]);
  return { ...Object.fromEntries(calls), allLinks, allClicks, events } as unknown as Functions;
}
