import { api } from '../client.ts';

/** Availability of a code. `yours`: a link of this account uses it. */
export type Availability = 'free' | 'yours' | 'taken' | 'reserved';

/** Checks whether a code is available on a host's domain, and requests alternatives if not. */
export async function askCode(customCode: string, domain: string | undefined, signal?: AbortSignal) {
  const { status, suggestions } = await api.checkCode({ customCode, domain }, { signal });
  return { is: status as Availability, suggestions };
}

/** Returns the first available codes of a list. */
export async function freeOf(
  codes: readonly string[],
  most: number,
  domain: string | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const free: string[] = [];
  for (const code of codes) {
    if (free.length === most) break;
    if ((await askCode(code, domain, signal)).is === 'free') free.push(code);
  }
  return free;
}
