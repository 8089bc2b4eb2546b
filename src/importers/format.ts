import * as z from 'zod';
import { formatVersion } from './limits.ts';

export { longestLine } from './limits.ts';

const text = (max: number) => z.string().min(1).max(max);
const time = z.iso.datetime();
const whole = z.int().min(0);
/** A link's key at its source. The link's clicks refer to it. */
const key = text(1_024);
const words = z.record(z.string().max(1_024), whole).optional();

const head = z.strictObject({
  type: z.literal('import'),
  version: z.literal(formatVersion),
  source: text(50),
  /** Address of the source; null for files. */
  instance: z.string().max(2_048).nullable(),
  /** Identifies the installation of a service, if link keys are not unique across installations. */
  installation: text(255).optional(),
  readAt: time,
});

const link = z.strictObject({
  type: z.literal('link'),
  key,
  /** Host of the short URL; null if the source does not report it. */
  domain: z.string().max(255).nullable(),
  /** The code as it appears in the source, without a leading slash and not percent-encoded. */
  code: text(2_048),
  /** The link's additional codes. */
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
  /** Number of clicks that count towards `maxClicks` at the source. */
  clicksUsed: whole.optional(),
  password: text(1_024).optional(),
  /** A bcrypt hash of the password, so that visitors can keep using the same password. */
  passwordHash: text(1_024).optional(),
  disabled: z.boolean().optional(),
  archived: z.boolean().optional(),
  forwardQuery: z.enum(['none', 'add', 'override']).optional(),
  redirectStatus: z.int().optional(),
  /** True if `url` contains placeholders. */
  template: z.boolean().optional(),
  appendPath: z.boolean().optional(),
  /** Redirect rules in API format. */
  rules: z.array(z.looseObject({})).max(1_000).optional(),
  utm: z.record(z.string(), z.string().max(1_024)).optional(),
  externalId: text(1_024).optional(),
  /** Features of the source link that Linkfold does not support. */
  lost: z.array(text(100)).max(50).optional(),
});

/** A click, or several identical clicks. */
const visit = z.strictObject({
  type: z.literal('visit'),
  key,
  at: time,
  /** Number of clicks that this record represents, if the source samples clicks. */
  clicks: whole.optional(),
  bot: z.boolean().optional(),
  userAgent: z.string().max(1_024).optional(),
  /** URL or host. Empty if the source reports that there was no referrer. */
  referrer: z.string().max(4_096).optional(),
  /** Two-letter country code (ISO 3166-1). */
  country: z.string().length(2).optional(),
  region: z.string().max(255).optional(),
  browser: z.string().max(255).optional(),
  os: z.string().max(255).optional(),
  device: z.string().max(255).optional(),
  language: z.string().max(64).optional(),
});

/** Clicks on a link in the hour or day that starts at `at`, with counts per value for some dimensions. */
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

/**
 * Total number of clicks on a link at the source. If this number is higher than the sum of the link's visits and
 * buckets, the difference is the number of clicks without a date.
 */
const counter = z.strictObject({ type: z.literal('counter'), key, clicks: whole, bots: whole.optional() });

/** A part of the source that could not be read or is incomplete. */
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

/** Unused columns of a table. */
const unused = z.strictObject({
  type: z.literal('unused'),
  /** Name of the table: `links` or `clicks`. */
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
/** A line that a source yields. */
export type SourceRecord = Exclude<Line, HeadLine | EndLine>;
/** A notice for the user about rows that were read. */
export type Notice = Extract<Line, { type: 'warning' | 'unused' }>;

/** Returns a link's fields in API format. The import handles the code, domain and date. */
export function fieldsOf(given: LinkLine): Record<string, unknown> {
  const { type: _type, key: _key, domain: _domain, code: _code, aliases: _aliases, ...rest } = given;
  const { createdAt: _at, lost: _lost, passwordHash: _hash, clicksUsed: _used, ...fields } = rest;
  return fields;
}

/** Validates a line. @returns the line, or the reason why it is invalid */
export function readLine(value: unknown): Line | string {
  const read = anyLine.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') ?? '';
  return `${field === '' ? '' : `${field}: `}${issue?.message ?? 'this line does not match the format'}`;
}
