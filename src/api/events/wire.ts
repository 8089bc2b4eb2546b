import { type EventPage, encryptPosition, type LinkEvent } from '../../model/clicks/events.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { webhookTypeOf } from '../../model/webhooks/clicks.ts';

/** Formats a server-sent event, with one `data` line. */
export function eventText(
  id: string | undefined,
  data: { readonly type: string } & Readonly<Record<string, unknown>>,
): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function textOf(event: LinkEvent, secret: Uint8Array): string {
  const { type, linkId, code, folderId, at, click, position } = event;
  return eventText(encryptPosition(position, secret), {
    type,
    linkId,
    shortCode: code,
    folderId,
    time: formatTimestamp(at),
    eventType: webhookTypeOf(type),
    ...click,
  });
}

/** Returns a function that serializes a page's events lazily, each only once for all readers. */
export function createSerializer(page: EventPage, secret: Uint8Array): (index: number) => string {
  const serialized: (string | undefined)[] = [];
  return (index) => {
    const event = page.events[index];
    if (event === undefined) return '';
    serialized[index] ??= textOf(event, secret);
    return serialized[index];
  };
}
