import { hash } from 'node:crypto';
import { type Line, type LinkLine, readLine } from '../../importers/format.ts';
import type { ApiKey } from '../../model/accounts/keys.ts';
import type { LinkDomain } from '../../model/domains/hosts.ts';
import { Failure, refused } from '../../model/failures.ts';
import { idAt } from '../../model/ids.ts';
import type { Import, ImportBatch, ImportedLine, ImportedLink } from '../../model/imports/imports.ts';
import {
  couldBeCode,
  couldBeExactCode,
  generateCode,
  isExact,
  isReserved,
} from '../../model/links/codes/codes.ts';
import { codeProblemsOn, domainFor } from '../../model/links/domains.ts';
import { changeOf, type LinkDraft } from '../../model/links/links.ts';
import { newLinkOf } from '../../model/links/new-links.ts';
import { withHashedPassword } from '../../model/links/passwords.ts';
import { isBcryptHash } from '../../runtime/bcrypt.ts';
import { createYield } from '../../runtime/yield.ts';
import { type ApiContext, callerOf } from '../request/handler.ts';
import { mendLink } from './mend.ts';
import { createClickCollector } from './visits.ts';

/** The import options that affect how lines are read. */
type Target = Pick<Import, 'installation' | 'domain' | 'onConflict' | 'readAt'>;

interface Reading {
  readonly context: ApiContext;
  readonly key: ApiKey;
  readonly found: Target;
  /** Looks up a host's domain, with caching. If `host` is null, returns the default domain. */
  readonly domainOf: (host: string | null) => Promise<LinkDomain | undefined>;
}

/** Converts lines of an import file to a batch for storage. Yields to the event loop between lines. */
export async function batchOf(
  context: ApiContext,
  key: ApiKey,
  found: Target,
  { position, lines: given }: { readonly position: number; readonly lines: readonly object[] },
): Promise<ImportBatch> {
  const pause = createYield();
  const now = context.now();
  const reading: Reading = { context, key, found, domainOf: createDomains(context, key, found) };
  const collector = createClickCollector(context.readFacts, now);
  const links: ImportedLink[] = [];
  const refusals: ImportedLine[] = [];
  const indexes = new Map<string, number>();
  const counters: [number, number][] = [];
  let isEnd = false;
  const indexOf = (name: string): number => indexes.getOrInsertComputed(name, () => indexes.size);
  const named = (line: number, name: string) => ({ key: indexOf(name), line: line - position - 1 });

  const take = async (line: number, one: Line): Promise<void> => {
    if (one.type === 'link') links.push(await linkOf(reading, line, one));
    else if (one.type === 'visit') collector.visit(named(line, one.key), one);
    else if (one.type === 'bucket') collector.bucket(named(line, one.key), one);
    else if (one.type === 'counter') counters.push([indexOf(one.key), one.clicks]);
    else if (one.type === 'problem') refusals.push(refusedLine(line, one.where, one.reason));
    else isEnd ||= one.type === 'end';
  };

  for (const [at, value] of given.entries()) {
    await pause();
    const line = position + at + 1;
    const one = readLine(value);
    if (typeof one === 'string') {
      refusals.push(refusedLine(line, nameIn(value), `The line is invalid: ${one}`));
      continue;
    }
    try {
      await take(line, one);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { code, message } = error;
      const name = 'key' in one ? one.key : '';
      const link = one.type === 'link' ? one.code : null;
      refusals.push({ ...refusedLine(line, name, `${code}: ${message}`), code: link });
    }
  }
  return {
    position,
    lines: given.length,
    links,
    refused: refusals,
    counters,
    isEnd,
    now,
    keys: [...indexes.keys()].map((name) => hashOf(found, name)),
    clicks: collector.clicks(),
  };
}

function refusedLine(line: number, key: string, reason: string): ImportedLine {
  return { line, key, code: null, outcome: 'refused', reason, linkId: null };
}

const maxKeyLength = 1_024;

function nameIn(value: object): string {
  const name = 'key' in value ? value.key : '';
  return typeof name === 'string' ? name.slice(0, maxKeyLength).toWellFormed() : '';
}

function hashOf({ installation }: Target, key: string): string {
  return hash('sha256', installation === null ? key : `${installation}\n${key}`).slice(0, 32);
}

/**
 * Creates the domain lookup. A host that does not belong to the account is replaced by the domain chosen for the
 * import.
 */
function createDomains(context: ApiContext, key: ApiKey, { domain: others }: Target): Reading['domainOf'] {
  const known = new Map<string | null, Promise<LinkDomain | undefined>>();
  const caller = callerOf(key);
  const find = async (host: string | null): Promise<LinkDomain | undefined> => {
    try {
      return await domainFor(context, caller, host);
    } catch (error) {
      if (!(error instanceof Failure) || others === null || others === host) throw error;
      return domainFor(context, caller, others);
    }
  };
  return (host) => known.getOrInsertComputed(host, find);
}

/** Converts a line to a link for storage. @throws Failure if the line is not a valid link */
async function linkOf(reading: Reading, line: number, given: LinkLine): Promise<ImportedLink> {
  const { context, key, found } = reading;
  const caller = callerOf(key);
  const { values, problems, mended } = mendLink(context, given);
  if (problems.length > 0) throw refused(problems);
  const draft = { ...values, customCode: given.code } as LinkDraft;
  const domain = await reading.domainOf(given.domain);
  const { passwordHash = '' } = given;
  const hashed = isBcryptHash(passwordHash)
    ? { ...draft, password: passwordHash }
    : await withHashedPassword(context.passwords, caller.accountId, draft);
  const space = domain?.space ?? '';
  const isAnyCode = isExact(space);
  const link = newLinkOf(context, caller, hashed, domain);
  const isValidCode = (code: string) =>
    codeProblemsOn(space, { customCode: code }, context).length === 0 && !isReserved(code, space);
  const [aliases, lost] = partition(given.aliases ?? [], isValidCode);
  const at = Math.min(Date.parse(given.createdAt ?? '') || found.readAt, context.now());
  const createdAt = Math.max(0, at);
  const { customCode: _code, ...edit } = hashed;
  return {
    line,
    key: given.key,
    hash: hashOf(found, given.key),
    recorded: `${given.domain ?? ''}/${given.code}`,
    aliases,
    mended: [...mended, ...lost.map((alias) => `aliases: dropped ${alias}, which is not a valid code.`)],
    link: {
      ...link,
      usedClicks: given.clicksUsed ?? 0,
      id: idAt(createdAt, context.randomBytes),
      createdAt,
      codes: found.onConflict === 'rename' ? similarCodes(context, given.code, isAnyCode) : link.codes,
    },
    change:
      found.onConflict === 'overwrite'
        ? changeOf(context, caller, { ...edit, template: edit.template ?? false })
        : {},
  };
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** Returns the code, then similar codes to use if the code is taken. */
function similarCodes({ randomBytes }: ApiContext, code: string, isAnyCode: boolean): string[] {
  const ends = ['2', '3', '4', '5', generateCode(3, randomBytes), generateCode(6, randomBytes)];
  const further = ends.map((end) => `${code}-${end}`);
  return [code, ...further.filter(isAnyCode ? couldBeExactCode : couldBeCode)];
}
