import { api } from './client.ts';

/** Whether a code can be had. `yours`: a link of this account has it. */
export type Availability = 'free' | 'yours' | 'taken' | 'reserved';

/** Asks whether a code can be had. */
export async function askCode(code: string, signal?: AbortSignal): Promise<Availability> {
  return (await api.checkCode({ customCode: code }, { signal })).status;
}

/** The first few of many codes that are free. */
export async function freeOf(codes: readonly string[], most: number, signal: AbortSignal): Promise<string[]> {
  const free: string[] = [];
  for (const code of codes) {
    if (free.length === most) break;
    if ((await askCode(code, signal)) === 'free') free.push(code);
  }
  return free;
}
