import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Failure } from '../failures.ts';
import type { DimensionValues } from './click-facts.ts';

/** Actions on links. Each action is stored as its index in this list. */
export const linkActions = ['created', 'updated', 'deleted', 'restored', 'moved'] as const;
export type LinkAction = (typeof linkActions)[number];

export type EventType = 'click' | `link.${LinkAction}`;
export const eventTypes: readonly EventType[] = [
  'click',
  ...linkActions.map((action) => `link.${action}` as const),
];

/** A click on a link, or a change to a link, as readers of the event stream receive it. */
export interface LinkEvent {
  readonly type: EventType;
  readonly linkId: string;
  readonly code: string;
  /** The link's current folder. */
  readonly folderId: string | null;
  /** Code space of the link's domain. */
  readonly space: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The click's values by dimension, without data that identifies the visitor. Undefined for changes. */
  readonly click?: DimensionValues;
  /** The reader's position after this event. */
  readonly position: EventPosition;
}

/**
 * A reader's position in the stream of changes and click batches. Within a batch, `clicks` is the number of the
 * account's clicks already read; 0 means that the batch was read completely.
 */
export interface EventPosition {
  readonly change: number;
  readonly batch: number;
  readonly clicks: number;
}

/** A request for events from one reader. */
export interface EventRequest {
  readonly accountId: number;
  readonly clicks: boolean;
  readonly changes: boolean;
  /** The reader's position; undefined to start with new events. */
  readonly after: EventPosition | undefined;
}

/** Events for one reader, in order. */
export interface EventPage {
  readonly events: readonly LinkEvent[];
  /** The reader's new position; undefined while the end of the stream is unknown. */
  readonly end: EventPosition | undefined;
  readonly hasMore: boolean;
  /** Whether events between `after` and the first event on the page were deleted. */
  readonly isLost: boolean;
}

/** Results for several readers, from one snapshot. */
export interface EventPages {
  /** Key that encrypts positions. A new key invalidates all previous positions. */
  readonly secret: Uint8Array;
  readonly pages: readonly EventPage[];
}

/** Write operations for event readers. */
export interface EventWrites {
  /**
   * Registers this process as a reader for two minutes. During this time, events are recorded for `readEvents`. Call
   * again before the two minutes elapse.
   * @param now ms since the epoch
   * @param secret 16 bytes that become the key for positions, unless another process is already reading
   */
  renewEventReader(now: number, secret: Uint8Array): Promise<void>;
  /**
   * Deletes events older than the retention window. Does not affect reads other than `readEvents`.
   * @param now ms since the epoch
   * @param max maximum number of click batches
   * @returns true if more events may remain to be deleted
   */
  trimEvents(now: number, max: number): Promise<boolean>;
}

/**
 * Minimum retention of events while there are readers, in ms; shorter if too many clicks are retained. Without readers,
 * events are not stored.
 */
export const eventWindowMs = 120_000;

const cipher = 'aes-128-ecb';
export const eventSecretBytes = 16;
const blockBytes = 16;

/**
 * Encrypts a position for a client as one block. Unencrypted positions would reveal other accounts' activity, because
 * all accounts share one numbering of events.
 * @param secret {@link eventSecretBytes} bytes
 */
export function encryptPosition({ change, batch, clicks }: EventPosition, secret: Uint8Array): string {
  const block = Buffer.alloc(blockBytes);
  block.writeUIntBE(change, 0, 5);
  block.writeUIntBE(batch, 5, 5);
  block.writeUIntBE(clicks, 10, 3);
  const sealing = createCipheriv(cipher, secret, null).setAutoPadding(false);
  return sealing.update(block, undefined, 'base64url') + sealing.final('base64url');
}

/** @returns undefined for a string that is not a position encrypted with this secret */
export function decryptPosition(text: string, secret: Uint8Array): EventPosition | undefined {
  const sealed = Buffer.from(text, 'base64url');
  if (sealed.length !== blockBytes) return undefined;
  const opening = createDecipheriv(cipher, secret, null).setAutoPadding(false);
  const block = Buffer.concat([opening.update(sealed), opening.final()]);
  // These three bytes are zero in every position. With a wrong secret, the probability of three zero bytes is 2⁻²⁴.
  if (block.readUIntBE(13, 3) !== 0) return undefined;
  return { change: block.readUIntBE(0, 5), batch: block.readUIntBE(5, 5), clicks: block.readUIntBE(10, 3) };
}

/** Maximum number of concurrent streams per account in one process. */
export const maxStreams = 50;

export function tooManyStreams(): Failure {
  const message = `This account already has ${maxStreams} open event streams. Close one, or try again later.`;
  return new Failure('TOO_MANY_STREAMS', message, { retryAfterSeconds: 60 });
}
