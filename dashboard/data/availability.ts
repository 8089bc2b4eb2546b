import { ApiError } from '../../src/client/client.ts';
import { api } from './client.ts';

/** Whether a code can be had. `yours`: a link of this account has it. */
export type Availability = 'free' | 'yours' | 'taken' | 'reserved';

/** Asks whether a code can be had. */
export async function askCode(code: string, signal?: AbortSignal): Promise<Availability> {
  const { checkCode } = api as { checkCode?: (code: string, options: object) => Promise<unknown> };
  if (checkCode !== undefined) return readAnswer(await checkCode(code, { signal }));
  try {
    await api.getLinkByCode(code, { signal });
    return 'yours';
  } catch (error) {
    if (error instanceof ApiError && ['CODE_NOT_FOUND', 'LINK_NOT_FOUND'].includes(error.code)) return 'free';
    throw error;
  }
}

function readAnswer(answer: unknown): Availability {
  const { status } = answer as { readonly status: Availability };
  return status;
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
