import * as z from 'zod';
import { formatVersion } from './limits.ts';

export { longestLine } from './limits.ts';

const text = (max: number) => z.string().min(1).max(max);
const time = z.iso.datetime();
const whole = z.int().min(0);
/** Key of a link at its source, to which its clicks refer. */
const key = text(1_024);
const words = z.record(z.string().max(1_024), whole).optional();

const head = z.strictObject({
  type: z.literal('import'),
  version: z.literal(formatVersion),
  source: text(50),
  /** Address of the source; null for files. */
  instance: z.string().max(2_048).nullable(),
  /** Distinguishes installations of a service if keys alone do not. */
  installation: text(255).optional(),
  readAt: time,
});

const link = z.strictObject({
  type: z.literal('link'),
  key,
  /** Host of its short URL; null if the source does not report it. */
  domain: z.string().max(255).nullable(),
  /** As in the source: without a leading slash, not percent-encoded. */
  code: text(2_048),
  /** Further codes of the link. */
  aliases: z.array(text(2_048)).max(100).optional(),
  url: text(32_768),
  title: z.string().max(65_536).optional(),
  description: z.string().max(65_536).optional(),
  tags: z.array(z.string().max(65_536)).optional(),
  createdAt: time.optional(),
  startsAt: time.optional(),
  expiresAt: time.optional(),
  expiredUrl: text(32_768).optional(),
  maxClicks: whole.optional(),
  /** Clicks that count towards `maxClicks` at the source. */
  clicksUsed: whole.optional(),
  password: text(1_024).optional(),
  /** A bcrypt hash: visitors keep using their password. */
  passwordHash: text(1_024).optional(),
  disabled: z.boolean().optional(),
  archived: z.boolean().optional(),
  forwardQuery: z.enum(['none', 'add', 'override']).optional(),
  redirectStatus: z.int().optional(),
  /** Whether `url` contains placeholders. */
  template: z.boolean().optional(),
  appendPath: z.boolean().optional(),
  /** Redirect rules in the format of Linkfold's API. */
  rules: z.array(z.looseObject({})).max(1_000).optional(),
  utm: z.record(z.string(), z.string().max(1_024)).optional(),
  externalId: text(1_024).optional(),
  /** Features of the source link that Linkfold does not support. */
  lost: z.array(text(100)).max(50).optional(),
});

/** A click, or several identical ones. */
const visit = z.strictObject({
  type: z.literal('visit'),
  key,
  at: time,
  /** Number of clicks that this record represents, if the source samples clicks. */
  clicks: whole.optional(),
  bot: z.boolean().optional(),
  userAgent: z.string().max(1_024).optional(),
  /** URL or host; empty if the source reports that there was none. */
  referrer: z.string().max(4_096).optional(),
  /** ISO 3166-1, two letters. */
  country: z.string().length(2).optional(),
  region: z.string().max(255).optional(),
  browser: z.string().max(255).optional(),
  os: z.string().max(255).optional(),
  device: z.string().max(255).optional(),
  language: z.string().max(64).optional(),
});

/** Clicks of a link in the hour or day that starts at `at`, with counts per value of some dimensions. */
const bucket = z.strictObject({
  type: z.literal('bucket'),
  key,
  at: time,
  unit: z.enum(['hour', 'day']),
  clicks: whole,
  by: z
    .strictObject({ country: words, referrer: words, browser: words, os: words, device: words })
    .optional(),
});

/** Total clicks of a link at the source. Clicks beyond the link's visits and buckets have no date. */
const counter = z.strictObject({ type: z.literal('counter'), key, clicks: whole, bots: whole.optional() });

/** A part of the source that could not be read, or is incomplete. */
const problem = z.strictObject({
  type: z.literal('problem'),
  where: z.string().max(1_024),
  reason: text(4_096),
});

/** A value that could not be parsed; the rest of its row was imported. */
const warning = z.strictObject({
  type: z.literal('warning'),
  where: z.string().max(1_024),
  column: z.string().max(1_024),
  reason: text(4_096),
});

/** Columns of a table that were not used. */
const unused = z.strictObject({
  type: z.literal('unused'),
  /** The table: `links` or `clicks`. */
  where: z.string().max(1_024),
  columns: z.array(z.string().max(1_024)).min(1),
});

const end = z.strictObject({
  type: z.literal('end'),
  links: whole,
  visits: whole,
  buckets: whole,
  counters: whole,
  problems: whole,
  warnings: whole.optional(),
});

const anyLine = z.discriminatedUnion('type', [
  head,
  link,
  visit,
  bucket,
  counter,
  problem,
  warning,
  unused,
  end,
]);

export type Line = z.output<typeof anyLine>;
export type HeadLine = z.output<typeof head>;
export type LinkLine = z.output<typeof link>;
export type ClicksLine = Extract<Line, { type: 'visit' | 'bucket' | 'counter' }>;
export type EndLine = z.output<typeof end>;
/** What a source yields. */
export type SourceRecord = Exclude<Line, HeadLine | EndLine>;
/** A hint for the user about rows that were read. */
export type Notice = Extract<Line, { type: 'warning' | 'unused' }>;

/** Returns the fields of a link for the API. Code, domain and date are handled by the import. */
export function fieldsOf(given: LinkLine): Record<string, unknown> {
  const { type: _type, key: _key, domain: _domain, code: _code, aliases: _aliases, ...rest } = given;
  const { createdAt: _at, lost: _lost, passwordHash: _hash, clicksUsed: _used, ...fields } = rest;
  return fields;
}

/** @returns the line, or why it is invalid */
export function readLine(value: unknown): Line | string {
  const read = anyLine.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') ?? '';
  return `${field === '' ? '' : `${field}: `}${issue?.message ?? 'this line does not match the format'}`;
}
