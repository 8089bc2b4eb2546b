import { api } from '../data/client.ts';

let pending: ReturnType<typeof api.getAccount> | undefined;

/** Reads the account's settings, once for all sections that ask at the same time. */
export function readAccount(): ReturnType<typeof api.getAccount> {
  pending ??= api.getAccount().finally(() => {
    pending = undefined;
  });
  return pending;
}
