import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Failure } from '../failures.ts';
import type { DimensionValues } from './click-facts.ts';

/** What can be done to a link, in the order of the numbers by which storage notes it. */
export const linkActions = ['created', 'updated', 'deleted', 'restored', 'moved'] as const;
export type LinkAction = (typeof linkActions)[number];

export type EventType = 'click' | `link.${LinkAction}`;
export const eventTypes: readonly EventType[] = [
  'click',
  ...linkActions.map((action) => `link.${action}` as const),
];

/** Something that happened to a link of an account. */
export interface LinkEvent {
  readonly type: EventType;
  readonly linkId: string;
  readonly code: string;
  /** The folder that the link is in by now. */
  readonly folderId: string | null;
  /** That of its domain. */
  readonly space: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What a click says, by its dimensions. Nothing tells who the visitor was. */
  readonly click?: DimensionValues;
  /** Where a reader stands that has this event. */
  readonly position: EventPosition;
}

/**
 * Where a reader stands: behind so many noted changes, and behind so many batches of clicks. In the middle of a batch `clicks`
 * counts those of it that the account has had; 0 is its end.
 */
export interface EventPosition {
  readonly change: number;
  readonly batch: number;
  readonly clicks: number;
}

/** What one reader asks for. */
export interface EventAsk {
  readonly accountId: number;
  readonly clicks: boolean;
  readonly changes: boolean;
  /** Undefined to begin with what comes from now on. */
  readonly after: EventPosition | undefined;
}

/** Events in the order in which they are told. */
export interface EventPage {
  readonly events: readonly LinkEvent[];
  /** Where the reader stands then; undefined while it is not known yet where the end is. */
  readonly end: EventPosition | undefined;
  readonly hasMore: boolean;
  /** Whether what lies between `after` and the first event is not kept any more. */
  readonly isLost: boolean;
}

/** Answers to several readers, of one moment. */
export interface EventPages {
  /** By which positions are sealed: another one means that no earlier position is valid. */
  readonly secret: Uint8Array;
  readonly pages: readonly EventPage[];
}

/** The writes that readers of events need. */
export interface EventWrites {
  /**
   * Has what happens noted for `readEvents`, for two minutes; to be called again before they are over.
   * @param now ms since the epoch
   * @param secret of 16 bytes, used unless another process reads already
   */
  keepEvents(now: number, secret: Uint8Array): Promise<void>;
  /**
   * Lets go of noted events that readers are not promised any more. It changes no answer of another read.
   * @param now ms since the epoch
   * @param max how many batches of clicks
   * @returns whether there may be more
   */
  trimEvents(now: number, max: number): Promise<boolean>;
}

/** What happened is kept for so long at least while anything reads it, and not at all while nothing does, ms. */
export const eventWindowMs = 120_000;

const cipher = 'aes-128-ecb';
export const eventSecretBytes = 16;
const blockBytes = 16;

/**
 * Writes a position for a client: one block, enciphered, so that it tells nothing about other accounts, whose changes and
 * clicks have the numbers between.
 * @param secret of {@link eventSecretBytes}
 */
export function sealPosition({ change, batch, clicks }: EventPosition, secret: Uint8Array): string {
  const block = Buffer.alloc(blockBytes);
  block.writeUIntBE(change, 0, 5);
  block.writeUIntBE(batch, 5, 5);
  block.writeUIntBE(clicks, 10, 3);
  const sealing = createCipheriv(cipher, secret, null).setAutoPadding(false);
  return sealing.update(block, undefined, 'base64url') + sealing.final('base64url');
}

/** @returns undefined for a text that is no position under this secret */
export function openPosition(text: string, secret: Uint8Array): EventPosition | undefined {
  const sealed = Buffer.from(text, 'base64url');
  if (sealed.length !== blockBytes) return undefined;
  const opening = createDecipheriv(cipher, secret, null).setAutoPadding(false);
  const block = Buffer.concat([opening.update(sealed), opening.final()]);
  // A block under another secret has zeros here once in sixteen million times.
  if (block.readUIntBE(13, 3) !== 0) return undefined;
  return { change: block.readUIntBE(0, 5), batch: block.readUIntBE(5, 5), clicks: block.readUIntBE(10, 3) };
}

/** Streams of one account at a time, in one process. */
export const maxStreams = 50;

export function tooManyStreams(): Failure {
  const message = `This account follows events over ${maxStreams} connections already. Close one, or come back later.`;
  return new Failure('TOO_MANY_STREAMS', message, { retryAfterSeconds: 60 });
}
