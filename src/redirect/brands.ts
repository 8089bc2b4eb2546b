import type { Branding } from '../domain/accounts/branding.ts';
import type { Reads } from '../domain/storage.ts';

/** For how long a process shows what it has read: what is put is seen everywhere after this time. */
const freshMs = 1_000;
/** Most accounts whose branding is held, of up to 50 kB each. */
const most = 100;
/** A visitor does not wait longer for what a page looks like. */
const patienceMs = 1_000;

/** @returns the branding of an account; undefined when there is none, or storage does not say it now. Never rejects. */
export type BrandOf = (account: number) => Promise<Branding | undefined>;

/**
 * Reads brandings as pages need them, once a second for each account however many visitors come. A branding lasts for a
 * second, so no change of it has to be told to other processes.
 */
export function createBrands(storage: Pick<Reads, 'branding'>, now: () => number): BrandOf {
  const held = new Map<number, { readonly at: number; readonly branding: Promise<Branding | undefined> }>();

  const read = async (account: number): Promise<Branding | undefined> => {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patienceMs);
    });
    try {
      return await Promise.race([storage.branding(account), tooLate]);
    } catch {
      return undefined; // the page is shown as it is without
    } finally {
      clearTimeout(timer);
    }
  };

  return (account) => {
    const at = now();
    const known = held.get(account);
    if (known !== undefined && Math.abs(at - known.at) < freshMs) return known.branding;
    const branding = read(account);
    held.delete(account);
    held.set(account, { at, branding });
    const [oldest] = held.keys();
    if (held.size > most && oldest !== undefined) held.delete(oldest);
    return branding;
  };
}
