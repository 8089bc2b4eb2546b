import { Readable } from 'node:stream';
import { isWithin, type ResolvedRestrictions } from '../../model/accounts/reach.ts';
import type { EventPage, EventPosition, EventType, LinkEvent } from '../../model/clicks/events.ts';
import { openPosition, sealPosition } from '../../model/clicks/events.ts';
import { Failure } from '../../model/failures.ts';
import { eventText } from './wire.ts';

/** What one client asked for. */
export interface StreamOptions {
  readonly accountId: number;
  /** Of the key that follows, or whose session does. */
  readonly keyId: string;
  readonly types: ReadonlySet<EventType>;
  readonly linkId?: string | undefined;
  /** Null for links in no folder. */
  readonly folderId?: string | null | undefined;
  /** Only links within what it returns. */
  readonly reach: () => ResolvedRestrictions | undefined;
  /** The position behind which to continue, as it was sealed. */
  readonly lastEventId?: string | undefined;
  /** @throws Failure when the client may not read on */
  readonly requireStill: () => Promise<void>;
}

/** Bytes that a client may leave unread. Then it is passed over until it has read them, and continues where it was. */
const mostUnread = 32 * 1024;
/** A client without events hears so often that the connection lives, ms. */
const heartbeatMs = 15_000;
/** How often it is checked that a client may still read, ms: keys and sessions also end by time. */
const checkMs = 2_000;
/** After so long a client connects again, ms; at random within, so that all do not come at once. */
const retryMs = { least: 1_000, spread: 2_000 };

const lost = 'Earlier events are no longer available. Reload your data; new events follow.';

/** One client's stream: what it has had, and what it gets next. */
export class ClientStream {
  readonly options: StreamOptions;
  readonly body: Readable;
  position: EventPosition | undefined;
  #hasBegun = false;
  #resumes: boolean;
  /** What the client was told last, and what it was given to resume from. */
  #wroteAt: number;
  #checkedAt: number;
  #toldId = '';
  #isOver = false;
  readonly #onClose: () => void;

  /** @param onClose called when the client is gone or the stream has ended */
  constructor(options: StreamOptions, now: number, onClose: () => void) {
    this.options = options;
    this.#resumes = options.lastEventId !== undefined;
    this.#wroteAt = now;
    this.#checkedAt = now;
    this.body = new Readable({ highWaterMark: mostUnread, read() {} });
    this.#onClose = onClose;
    this.body.once('close', onClose);
    this.#write(`retry: ${retryMs.least + Math.floor(Math.random() * retryMs.spread)}\n\n`, now);
  }

  /** Whether it waits for its client to read. */
  get isFull(): boolean {
    return this.body.readableLength >= mostUnread;
  }

  /** Finds out where the client stands. To be called again when another secret means that its position is void. */
  begin(secret: Uint8Array): void {
    const { lastEventId } = this.options;
    const isFirst = !this.#hasBegun && this.position === undefined;
    const resumed = isFirst && lastEventId !== undefined ? openPosition(lastEventId, secret) : undefined;
    if (!isFirst) this.#resumes = true;
    this.position = resumed;
  }

  /** Gives the client a page of events. @param text of an event, by its place in the page */
  take(page: EventPage, text: (place: number) => string, secret: Uint8Array, now: number): void {
    const { end } = page;
    if (end === undefined || this.#isOver || this.body.destroyed) return;
    const isLost = page.isLost || (this.position === undefined && this.#resumes);
    this.#toldId = sealPosition(end, secret);
    if (isLost) this.#write(eventText(this.#toldId, { type: 'reset', message: lost }), now);
    else if (!this.#hasBegun)
      this.#write(
        // Behind the events that follow there is another position.
        eventText(page.events.length === 0 ? this.#toldId : undefined, {
          type: 'ready',
          resumed: this.#resumes,
        }),
        now,
      );
    this.#hasBegun = true;
    this.#resumes = false;
    this.position = end;
    let texts = '';
    for (const [place, event] of page.events.entries()) if (this.#wants(event)) texts += text(place);
    if (texts !== '') this.#write(texts, now);
  }

  /** Tells the client now and then that it is still there, and where it stands if nothing of that was for it. */
  keepAlive(now: number): void {
    if (now - this.#wroteAt < heartbeatMs || this.isFull) return;
    this.#write(this.#toldId === '' ? ':\n\n' : `:\nid: ${this.#toldId}\n\n`, now);
  }

  /** Ends the stream when the client may not read on. @param isDue whether its key or session was changed */
  check(now: number, isDue = false): void {
    if (!isDue && now - this.#checkedAt < checkMs) return;
    this.#checkedAt = now;
    this.options.requireStill().catch((error: unknown) => this.end(error, now));
  }

  /** Tells the client why, and ends. */
  end(reason: unknown, now: number): void {
    if (this.#isOver || this.body.destroyed) return;
    this.#isOver = true;
    this.#onClose();
    // It would have to read all that it has left first.
    if (this.isFull) return void this.body.destroy();
    const { code, message } =
      reason instanceof Failure
        ? reason
        : { code: 'INTERNAL_ERROR', message: 'The stream was interrupted. Reconnect.' };
    this.#write(eventText(undefined, { type: 'end', code, message }), now);
    this.body.push(null);
  }

  #wants({ type, linkId, folderId, space }: LinkEvent): boolean {
    const { types, linkId: onlyLink, folderId: onlyFolder, reach } = this.options;
    return (
      types.has(type) &&
      isWithin(reach(), { space, folderId }) &&
      (onlyLink === undefined || linkId === onlyLink) &&
      (onlyFolder === undefined || folderId === onlyFolder)
    );
  }

  #write(text: string, now: number): void {
    this.#wroteAt = now;
    this.body.push(text);
  }
}
