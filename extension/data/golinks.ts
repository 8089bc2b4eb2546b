import { originOf } from './origins.ts';
import { readServer } from './server.ts';

/**
 * Returns the origin of the golinks domain from the settings, or by default the server's origin. Returns undefined if
 * neither is set.
 */
export async function readGolinks(): Promise<string | undefined> {
  const { golinks } = await chrome.storage.local.get(['golinks']);
  return (golinks as string | undefined) ?? (await readServer())?.url;
}

/** Stores the origin of the golinks domain that the user typed. @returns false if the domain is invalid */
export async function storeGolinks(typed: string): Promise<boolean> {
  if (typed.trim() === '') await chrome.storage.local.remove(['golinks']);
  else {
    const golinks = originOf(typed);
    if (golinks === undefined) return false;
    await chrome.storage.local.set({ golinks });
  }
  return true;
}
