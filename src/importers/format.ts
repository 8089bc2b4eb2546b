import * as z from 'zod';
import { formatVersion } from './limits.ts';

export { longestLine } from './limits.ts';

const text = (max: number) => z.string().min(1).max(max);
const time = z.iso.datetime();
const whole = z.int().min(0);
/** What a link is called at its source: its clicks name it by this. */
const key = text(1_024);
const words = z.record(z.string().max(1_024), whole).optional();

const head = z.strictObject({
  type: z.literal('import'),
  version: z.literal(formatVersion),
  source: text(50),
  /** Where it was read; null for files. */
  instance: z.string().max(2_048).nullable(),
  /** Tells installations of one service apart, where keys do not. */
  installation: text(255).optional(),
  readAt: time,
});

const link = z.strictObject({
  type: z.literal('link'),
  key,
  /** Host of its short URL; null where the source does not say. */
  domain: z.string().max(255).nullable(),
  /** As the source has it: without a leading slash, not percent-encoded. */
  code: text(2_048),
  /** Further codes that lead to it. */
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
  /** Of `maxClicks`, at the source. */
  clicksUsed: whole.optional(),
  password: text(1_024).optional(),
  /** Of bcrypt: visitors give the password that they know. */
  passwordHash: text(1_024).optional(),
  disabled: z.boolean().optional(),
  archived: z.boolean().optional(),
  forwardQuery: z.enum(['none', 'add', 'override']).optional(),
  redirectStatus: z.int().optional(),
  /** As the API of Linkfold has them. */
  rules: z.array(z.looseObject({})).max(1_000).optional(),
  utm: z.record(z.string(), z.string().max(1_024)).optional(),
  externalId: text(1_024).optional(),
  /** What the link has at its source and no field here holds. */
  lost: z.array(text(100)).max(50).optional(),
});

/** One click, or several that are alike. */
const visit = z.strictObject({
  type: z.literal('visit'),
  key,
  at: time,
  /** How many the source counts it for, where it samples. */
  clicks: whole.optional(),
  bot: z.boolean().optional(),
  userAgent: z.string().max(1_024).optional(),
  /** An address, or a host; empty when the source knows that there was none. */
  referrer: z.string().max(4_096).optional(),
  /** ISO 3166-1, two letters. */
  country: z.string().length(2).optional(),
  region: z.string().max(255).optional(),
  browser: z.string().max(255).optional(),
  os: z.string().max(255).optional(),
  device: z.string().max(255).optional(),
  language: z.string().max(64).optional(),
});

/** The clicks of a link in an hour or a day that begins at a time, and how many of them had which word. */
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

/** All clicks that the source shows of a link; those beyond its visits and buckets have no date. */
const counter = z.strictObject({ type: z.literal('counter'), key, clicks: whole, bots: whole.optional() });

/** Something at the source that could not be read, or is not whole. */
const problem = z.strictObject({
  type: z.literal('problem'),
  where: z.string().max(1_024),
  reason: text(4_096),
});

/** A value that could not be read. The rest of its row was. */
const warning = z.strictObject({
  type: z.literal('warning'),
  where: z.string().max(1_024),
  column: z.string().max(1_024),
  reason: text(4_096),
});

/** Columns of a table that nothing was read from. */
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
/** What a person should know of a reading, though its rows were read. */
export type Notice = Extract<Line, { type: 'warning' | 'unused' }>;

/** A link as the API is asked to make it; code, domain and date are matters of the import. */
export function fieldsOf(given: LinkLine): Record<string, unknown> {
  const { type: _type, key: _key, domain: _domain, code: _code, aliases: _aliases, ...rest } = given;
  const { createdAt: _at, lost: _lost, passwordHash: _hash, clicksUsed: _used, ...fields } = rest;
  return fields;
}

/** @returns the line, or why it is none */
export function readLine(value: unknown): Line | string {
  const read = anyLine.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') ?? '';
  return `${field === '' ? '' : `${field}: `}${issue?.message ?? 'this line does not match the format'}`;
}
