import { type Client, createClient } from '../src/client/client.ts';

/**
 * The API, asked as the person who is signed in: the browser adds the cookie of the session, which no script can read.
 * Without a session a call throws an `ApiError` with the code MISSING_API_KEY; after its end, INVALID_SESSION.
 */
export const api: Client = createClient({ baseUrl: location.origin, apiKey: null });
