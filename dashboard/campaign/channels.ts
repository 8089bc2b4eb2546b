import type { Link } from '../data/links/links.ts';
import { type SentUtm, tidy } from '../data/links/utm.ts';

/** Campaign channel. A link is created for each selected channel. */
export interface Channel {
  /** Key, unique within the campaign. */
  readonly key: string;
  readonly name: string;
  readonly utm: SentUtm;
  readonly isOn: boolean;
  /** Code as typed. Undefined while the code is derived from the campaign's name. */
  readonly typed?: string | undefined;
  readonly isTemplate?: boolean;
  readonly link?: Pick<Link, 'id' | 'shortCode' | 'shortUrl'>;
  readonly error?: string | undefined;
}

export const maxChannels = 50;

/** Default channels with their `utm_medium`, offered in addition to the account's UTM templates. */
const defaults = {
  newsletter: 'email',
  poster: 'print',
  instagram: 'social',
  linkedin: 'social',
  facebook: 'social',
  youtube: 'video',
} as const;

/**
 * Returns the account's templates, then the defaults whose `utm_source` no template uses. The first three are
 * selected.
 */
export function channelsFrom(
  templates: readonly { readonly id: string; readonly name: string; readonly utm: SentUtm }[],
  names: Readonly<Record<string, string>>,
): readonly Channel[] {
  const own = templates.map(({ id, name, utm }) => ({ key: id, name, utm, isTemplate: true }));
  const sources = new Set(templates.map(({ utm }) => utm.source));
  const others = Object.entries(defaults)
    .filter(([source]) => !sources.has(source))
    .map(([source, medium]) => ({ key: source, name: names[source] ?? source, utm: { source, medium } }));
  return [...own, ...others].slice(0, maxChannels).map((channel, at) => ({ ...channel, isOn: at < 3 }));
}

/** Creates a channel from its name. Returns undefined if the name contains no valid character. */
export function channelNamed(name: string): Channel | undefined {
  const part = codePart(name);
  if (part === '') return undefined;
  return { key: `own-${part}`, name: name.trim(), utm: { source: tidy('source', name) }, isOn: true };
}

const foreign: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  ł: 'l',
};

/** Converts a string to a part of a code: letters, digits and hyphens, at most 24 characters. */
export function codePart(text: string): string {
  return text
    .toLowerCase()
    .replace(/[äöüßøæł]/g, (letter) => foreign[letter] ?? '')
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 24)
    .replace(/-+$/, '');
}

/**
 * Returns a channel's code: as typed, or built from the campaign and channel names. Empty if the server generates it.
 */
export function codeOf({ typed, name }: Pick<Channel, 'typed' | 'name'>, campaign: string): string {
  if (typed !== undefined) return typed.trim();
  const base = codePart(campaign);
  return base === '' ? '' : `${base}-${codePart(name)}`;
}

/** Returns the UTM parameters for a channel's link. */
export function utmOf({ utm }: Pick<Channel, 'utm'>, campaign: string): SentUtm {
  const name = tidy('campaign', campaign);
  return name === '' ? utm : { ...utm, campaign: name };
}

/** Returns the keys of selected channels whose code another selected channel also uses. */
export function repeatedIn(channels: readonly Channel[], campaign: string): ReadonlySet<string> {
  const on = channels.filter((channel) => channel.isOn && codeOf(channel, campaign) !== '');
  const byCode = Map.groupBy(on, (channel) => codeOf(channel, campaign).toLowerCase());
  return new Set(
    [...byCode.values()].filter((same) => same.length > 1).flatMap((same) => same.map(({ key }) => key)),
  );
}
