import { type EventPage, type LinkEvent, sealPosition } from '../../model/clicks/events.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { webhookTypeOf } from '../../model/webhooks/clicks.ts';

/** An event as server-sent events have it, a line for each part. */
export function eventText(
  id: string | undefined,
  data: { readonly type: string } & Readonly<Record<string, unknown>>,
): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function textOf(event: LinkEvent, secret: Uint8Array): string {
  const { type, linkId, code, folderId, at, click, position } = event;
  return eventText(sealPosition(position, secret), {
    type,
    linkId,
    shortCode: code,
    folderId,
    time: formatTimestamp(at),
    eventType: webhookTypeOf(type),
    ...click,
  });
}

/** Each text of a page is made once, when the first of its readers gets it. */
export function createTexts(page: EventPage, secret: Uint8Array): (place: number) => string {
  const texts: (string | undefined)[] = [];
  return (place) => {
    const event = page.events[place];
    if (event === undefined) return '';
    texts[place] ??= textOf(event, secret);
    return texts[place];
  };
}
