// Thread that loads a block list. Parsing a million lines takes a second, during which visitors must not wait.
import { parentPort, workerData } from 'node:worker_threads';
import { isListAddress } from '../../model/links/destinations/host-lists.ts';
import { type LoadedList, readCopy, readList, saveCopy } from './sources.ts';

export interface LoadRequest {
  readonly source: string;
  /** Folder for the copies of downloaded lists. */
  readonly folder: string;
  /** True to use a copy if there is one, so that startup does not wait for a download. */
  readonly prefersCopy: boolean;
}

/** The list, read from its source or from an earlier copy, and the reason if the source could not be read. */
export interface LoadOutcome {
  readonly list?: LoadedList | undefined;
  readonly isCopy?: true;
  readonly failure?: string;
  /** Reason why the copy could not be saved. The list is used anyway, but the next startup must download it again. */
  readonly copyFailure?: string;
}

async function load({ source, folder, prefersCopy }: LoadRequest): Promise<LoadOutcome> {
  const copy = prefersCopy && isListAddress(source) ? readCopy(folder, source) : undefined;
  if (copy !== undefined) return { list: copy, isCopy: true };
  try {
    const list = await readList(source);
    return { list, ...(isListAddress(source) && tryToKeep(folder, source, list)) };
  } catch (error) {
    return { ...(isListAddress(source) && { list: readCopy(folder, source) }), failure: reasonOf(error) };
  }
}

function tryToKeep(folder: string, source: string, list: LoadedList): Pick<LoadOutcome, 'copyFailure'> {
  try {
    saveCopy(folder, source, list);
    return {};
  } catch (error) {
    return { copyFailure: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const { code, message, name, cause } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'did not respond in time';
  const inner = (cause as NodeJS.ErrnoException | undefined)?.code;
  // The error code is preferred, because messages from `fetch` and the file system contain the source, which may be
  // secret.
  return inner ?? code ?? (name === 'TypeError' ? 'could not be downloaded' : message);
}

void load(workerData as LoadRequest).then((outcome) => parentPort?.postMessage(outcome));
