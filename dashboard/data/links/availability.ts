import { api } from '../client.ts';

/** Whether a code can be had. `yours`: a link of this account has it. */
export type Availability = 'free' | 'yours' | 'taken' | 'reserved';

/** Asks whether a code can be had on the domain of a host, and for others where it cannot. */
export async function askCode(customCode: string, domain: string | undefined, signal?: AbortSignal) {
  const { status, suggestions } = await api.checkCode({ customCode, domain }, { signal });
  return { is: status as Availability, suggestions };
}

/** The first few of many codes that are free. */
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
