/** A block of a server-sent event stream (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  readonly id: string | undefined;
  /** Undefined for a block that only sets the event ID. */
  readonly data: string | undefined;
  readonly retryMs: number | undefined;
}

/** Maximum size of a block in characters. Linkfold sends no larger blocks. */
const longestBlock = 1024 * 1024;

/**
 * Reads an event stream block by block, on demand.
 * @param onHeard called whenever data is received, including comments
 * @throws the stream's error; Error if the stream is not an event stream
 */
export async function* readServerEvents(
  stream: ReadableStream<Uint8Array>,
  onHeard: () => void,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      onHeard();
      const { done, value } = await reader.read();
      if (done) return;
      text = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      if (text.length > longestBlock) throw new Error('The response is not an event stream.');
      for (const block of blocks) yield readBlock(block);
    }
  } finally {
    await reader.cancel().catch(() => {}); // Cancelling rejects if the stream has already failed.
  }
}

function readBlock(block: string): ServerEvent {
  const data: string[] = [];
  let id: string | undefined;
  let retryMs: number | undefined;
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const [name, value] =
      colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    if (name === 'data') data.push(value);
    else if (name === 'id') id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
  }
  return { id, data: data.length === 0 ? undefined : data.join('\n'), retryMs };
}
