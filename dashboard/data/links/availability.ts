import { api } from '../client.ts';

/** Code availability. `yours` means that a link in this account uses the code. */
export type Availability = 'free' | 'yours' | 'taken' | 'reserved';

/** Returns whether a code is available on a host's domain, with suggestions if not. */
export async function askCode(customCode: string, domain: string | undefined, signal?: AbortSignal) {
  const { status, suggestions } = await api.checkCode({ customCode, domain }, { signal });
  return { is: status as Availability, suggestions };
}

/** Returns the first `most` available codes from a list. */
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
