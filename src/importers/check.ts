import type { ClicksLine, LinkLine } from './format.ts';

/** Reason why a link cannot be imported, as an error code and a message. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/**
 * Returns whether a domain's codes are case-insensitive (`folded`) or case-sensitive (`exact`); undefined for an
 * unknown domain.
 */
export type CodesOf = (domain: string | null) => 'folded' | 'exact' | undefined;

export interface CheckRules {
  readonly codesOf: CodesOf;
  /** Folds a code for comparison. On a `folded` domain, two codes collide if they fold to the same string. */
  readonly fold: (code: string) => string;
  /** Returns the reasons why a link's fields cannot be imported, and the fields that the import will change or drop. */
  readonly checkFields: (link: LinkLine) => {
    readonly refusals: readonly Refusal[];
    readonly mended: readonly string[];
  };
  /** Returns the reason why a code is invalid on a domain whose codes are `folded` or `exact`. */
  readonly codeRefusal: (
    code: string,
    codes: 'folded' | 'exact',
    domain: string | null,
  ) => Refusal | undefined;
}

/** Check results for the links on one domain. */
export interface DomainFound {
  /** Null for links without a domain, which are imported into the default domain. */
  readonly domain: string | null;
  readonly codes: 'folded' | 'exact' | null;
  links: number;
  /** Number of codes that an earlier link in the file already uses. */
  taken: number;
  /** Number of codes that would be valid and unique only if the domain were case-sensitive. */
  needExact: number;
}

/** Clicks on a link: the number of clicks with a time, and the total that the source reports. */
interface ClicksOfLink {
  dated: number;
  counter: number;
  isRefused: boolean;
  /** The link's domain, code and destination. */
  readonly place: string;
}

const maxExamples = 5;

/** A count and the first few examples. */
export interface ExampleCount {
  count: number;
  readonly examples: string[];
}

/**
 * Creates a check that examines the links in a file one by one. It keeps every code in memory, about 400 bytes per
 * link.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: every line of a file is checked against the lines before it
export function createCheck({ codesOf, fold, checkFields, codeRefusal }: CheckRules) {
  const domains = new Map<string | null, DomainFound>();
  const codes = new Map<string, string>();
  const keys = new Map<string, ClicksOfLink>();
  const [refused, lost] = [new Map<string, ExampleCount>(), new Map<string, ExampleCount>()];
  const mended: ExampleCount = { count: 0, examples: [] };
  let linesOfNone = 0;
  const addExample = (into: Map<string, ExampleCount>, what: string, example: string): void => {
    const found = into.get(what) ?? { count: 0, examples: [] };
    into.set(what, found);
    found.count += 1;
    if (found.examples.length < maxExamples) found.examples.push(example);
  };
  return {
    domains,
    refused,
    lost,
    /** Parts of links that the import will change or drop. */
    mended,
    /** Returns the number of click lines whose key does not belong to an earlier link. */
    linesOfNone: () => linesOfNone,

    /** Counts the clicks on links that can be imported, and on links that cannot. */
    clicksFound() {
      const sums = { clicks: 0, clicksOfRefusedLinks: 0 };
      for (const { dated, counter, isRefused } of keys.values())
        sums[isRefused ? 'clicksOfRefusedLinks' : 'clicks'] += Math.max(dated, counter);
      return sums;
    },

    link(link: LinkLine): void {
      const { domain, key } = link;
      const place = `${domain}/${link.code} ${link.url}`;
      const before = keys.get(key);
      if (before !== undefined) {
        if (before.place !== place)
          addExample(refused, 'REPEATED_KEY', `${key}: an earlier link in the file has the same key.`);
        return;
      }
      const ofLink = { dated: 0, counter: 0, isRefused: false, place };
      keys.set(key, ofLink);
      const mend = (part: string): void => {
        mended.count += 1;
        if (mended.examples.length < maxExamples) mended.examples.push(`${key}: ${part}`);
      };
      const refuse = (reason: string, message: string): void => {
        ofLink.isRefused = true;
        addExample(refused, reason, `${key}: ${message}`);
      };
      const kind = codesOf(domain);
      const found = domains.get(domain) ?? { domain, codes: kind ?? null, links: 0, taken: 0, needExact: 0 };
      domains.set(domain, found);
      found.links += 1;
      for (const word of link.lost ?? []) addExample(lost, word, key);
      const fields = checkFields(link);
      for (const { code, message } of fields.refusals) refuse(code, message);
      for (const part of fields.mended) mend(part);
      for (const [at, code] of [link.code, ...(link.aliases ?? [])].entries()) {
        const dropped = (_reason: string, why: string): void => mend(`aliases: dropped ${code}: ${why}`);
        const object = at === 0 ? refuse : dropped;
        const isExact = kind === 'exact';
        const [exact, folded] = [`${domain} =${code}`, `${domain} :${fold(code)}`];
        const differs = !codes.has(exact);
        const other = codes.get(isExact ? exact : folded);
        const refusal = codeRefusal(code, kind ?? 'folded', domain);
        codes.set(exact, key);
        if (other === undefined) codes.set(folded, key);
        else {
          found.taken += 1;
          object('CUSTOM_CODE_TAKEN', `${other} in this file has the same code ${code}.`);
        }
        if (refusal !== undefined) object(refusal.code, refusal.message);
        const isHelped = differs && (other !== undefined || refusal !== undefined);
        if (!isExact && isHelped && codeRefusal(code, 'exact', domain) === undefined) found.needExact += 1;
      }
    },

    /** Counts a line that does not match the format. */
    unread: (why: string) => addExample(refused, 'UNREAD_LINE', why),

    clicks(line: ClicksLine): void {
      const ofLink = keys.get(line.key);
      if (ofLink === undefined) linesOfNone += 1;
      else if (line.type === 'counter') ofLink.counter = line.clicks;
      else ofLink.dated += line.clicks ?? 1;
    },
  };
}
