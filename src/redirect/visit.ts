import type { IncomingMessage } from 'node:http';
import type { ClickClass } from '../domain/clicks.ts';
import type { Classify } from './visitor.ts';

/** A request for a public path, and how to answer it, whichever parser read it. It is answered once. */
export interface Visit {
  readonly method: string;
  /** As on the request line: the path with its query. */
  readonly target: string;
  /** The class of the visitor; computed only when a click is counted. */
  clickClass(): ClickClass;
  /** The `Accept` header; empty when there is none. */
  accept(): string;
  /** @returns undefined when the visitor is exempt from limits: loopback and private addresses */
  address(): string | undefined;
  /** Answers 302. @param location printable ASCII */
  sendTo(location: string): void;
  /** @param headers without `Content-Length`, which follows from the body */
  send(status: number, headers: Readonly<Record<string, string>>, body: string): void;
}

/** Answers a visit, now or later. */
export type Redirect = (visit: Visit) => void;

/** What both parsers need to answer visits. */
export interface VisitOptions {
  readonly redirect: Redirect;
  readonly classify: Classify;
  readonly addressOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | undefined;
  /** The `Referrer-Policy` of every redirect; without it the destination sees the page that the visitor came from. */
  readonly referrerPolicy: string | undefined;
}
