import { Readable } from 'node:stream';
import { isWithin, type ResolvedRestrictions } from '../../model/accounts/key-restrictions.ts';
import type { EventPage, EventPosition, EventType, LinkEvent } from '../../model/clicks/events.ts';
import { decryptPosition, encryptPosition } from '../../model/clicks/events.ts';
import { Failure } from '../../model/failures.ts';
import { eventText } from './wire.ts';

/** Filter and permissions of one client. */
export interface StreamOptions {
  readonly accountId: number;
  /** ID of the key that reads the stream, directly or through a session. */
  readonly keyId: string;
  readonly types: ReadonlySet<EventType>;
  readonly linkId?: string | undefined;
  /** Folder of the links. Null selects links outside any folder. */
  readonly folderId?: string | null | undefined;
  /** Returns the key's current restrictions. The stream contains only events for links within these restrictions. */
  readonly restrictions: () => ResolvedRestrictions | undefined;
  /** Encrypted position from an earlier stream. The new stream continues after this position. */
  readonly lastEventId?: string | undefined;
  /** Checks that the client is still authorized. @throws Failure if the client is no longer authorized */
  readonly requireStill: () => Promise<void>;
}

/**
 * Maximum number of unread bytes per client. Above this limit, the hub skips the client until it has read enough, and
 * then continues at the client's position.
 */
const maxUnread = 32 * 1024;
/**
 * A client receives a heartbeat after this many milliseconds without events. Proxies would close a silent connection.
 */
const heartbeatMs = 15_000;
/** Milliseconds between checks that a client is still authorized. Its key or session can expire. */
const checkMs = 2_000;
/**
 * Reconnect delay for clients in milliseconds. The delay is random within this range, so that clients do not all
 * reconnect at once.
 */
const retryMs = { least: 1_000, spread: 2_000 };

const lost = 'Earlier events are no longer available. Reload your data; new events follow.';

/** The event stream of one client, and its position. */
export class ClientStream {
  readonly options: StreamOptions;
  readonly body: Readable;
  position: EventPosition | undefined;
  #hasBegun = false;
  #resumes: boolean;
  /** Time of the last write, on the hub's clock. */
  #wroteAt: number;
  #checkedAt: number;
  #sentId = '';
  #isOver = false;
  readonly #onClose: () => void;

  /** @param onClose callback for when the client disconnects or the stream ends */
  constructor(options: StreamOptions, now: number, onClose: () => void) {
    this.options = options;
    this.#resumes = options.lastEventId !== undefined;
    this.#wroteAt = now;
    this.#checkedAt = now;
    this.body = new Readable({ highWaterMark: maxUnread, read() {} });
    this.#onClose = onClose;
    this.body.once('close', onClose);
    this.#write(`retry: ${retryMs.least + Math.floor(Math.random() * retryMs.spread)}\n\n`, now);
  }

  /** Returns true while the client has too much unread data. */
  get isFull(): boolean {
    return this.body.readableLength >= maxUnread;
  }

  /** Sets the client's start position. Call again when the secret has changed, which invalidates the position. */
  begin(secret: Uint8Array): void {
    const { lastEventId } = this.options;
    const isFirst = !this.#hasBegun && this.position === undefined;
    const resumed = isFirst && lastEventId !== undefined ? decryptPosition(lastEventId, secret) : undefined;
    if (!isFirst) this.#resumes = true;
    this.position = resumed;
  }

  /** Sends a page of events. @param text returns the serialized event at an index in the page */
  sendPage(page: EventPage, text: (index: number) => string, secret: Uint8Array, now: number): void {
    const { end } = page;
    if (end === undefined || this.#isOver || this.body.destroyed) return;
    const isLost = page.isLost || (this.position === undefined && this.#resumes);
    this.#sentId = encryptPosition(end, secret);
    if (isLost) this.#write(eventText(this.#sentId, { type: 'reset', message: lost }), now);
    else if (!this.#hasBegun)
      this.#write(
        // The `ready` event needs no ID if other events follow, because they have newer positions.
        eventText(page.events.length === 0 ? this.#sentId : undefined, {
          type: 'ready',
          resumed: this.#resumes,
        }),
        now,
      );
    this.#hasBegun = true;
    this.#resumes = false;
    this.position = end;
    let texts = '';
    for (const [index, event] of page.events.entries()) if (this.#wants(event)) texts += text(index);
    if (texts !== '') this.#write(texts, now);
  }

  /** Sends a heartbeat with the current position if no other data was sent for a while. */
  sendHeartbeat(now: number): void {
    if (now - this.#wroteAt < heartbeatMs || this.isFull) return;
    this.#write(this.#sentId === '' ? ':\n\n' : `:\nid: ${this.#sentId}\n\n`, now);
  }

  /**
   * Ends the stream if the client is no longer authorized.
   * @param isDue true to check now, because the key has changed
   */
  check(now: number, isDue = false): void {
    if (!isDue && now - this.#checkedAt < checkMs) return;
    this.#checkedAt = now;
    this.options.requireStill().catch((error: unknown) => this.end(error, now));
  }

  /** Sends the reason and ends the stream. */
  end(reason: unknown, now: number): void {
    if (this.#isOver || this.body.destroyed) return;
    this.#isOver = true;
    this.#onClose();
    // Omits the reason if the client has too much unread data, because the reason would arrive too late, if at all.
    if (this.isFull) return void this.body.destroy();
    const { code, message } =
      reason instanceof Failure
        ? reason
        : { code: 'INTERNAL_ERROR', message: 'The stream was interrupted. Reconnect.' };
    this.#write(eventText(undefined, { type: 'end', code, message }), now);
    this.body.push(null);
  }

  #wants({ type, linkId, folderId, space }: LinkEvent): boolean {
    const { types, linkId: onlyLink, folderId: onlyFolder, restrictions } = this.options;
    return (
      types.has(type) &&
      isWithin(restrictions(), { space, folderId }) &&
      (onlyLink === undefined || linkId === onlyLink) &&
      (onlyFolder === undefined || folderId === onlyFolder)
    );
  }

  #write(text: string, now: number): void {
    this.#wroteAt = now;
    this.body.push(text);
  }
}
