/** Milliseconds that a task may run before it yields, so that the page stays responsive. */
const sliceMs = 12;
const pieceBytes = 65_536;

/** Returns a function that yields to the browser after each time slice. */
export function createPause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}

/** Reads a file in small chunks. @param onShare receives the fraction read so far, 0 to 1 */
export async function* piecesOf(
  file: File,
  onShare: (share: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pause = createPause();
  for (let at = 0; at < file.size; at += pieceBytes) {
    onShare(at / file.size);
    yield new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer());
    await pause();
  }
  onShare(1);
}
