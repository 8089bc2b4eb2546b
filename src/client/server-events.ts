/** What a block of a stream of server-sent events says (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  readonly id: string | undefined;
  /** Undefined for a block that only says where the reader stands. */
  readonly data: string | undefined;
  readonly retryMs: number | undefined;
}

/** More than that without an end of a block is no stream of ours, characters. */
const longestBlock = 1024 * 1024;

/**
 * Reads a stream block by block, as they are asked for.
 * @param onHeard called with whatever arrives, comments too
 * @throws what the stream fails with; Error when it is not one of events
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
      if (text.length > longestBlock) throw new Error('The answer is no stream of events.');
      for (const block of blocks) yield readBlock(block);
    }
  } finally {
    await reader.cancel().catch(() => {}); // it may have failed already
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
