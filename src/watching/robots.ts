import { OutboundFailure } from '../outbound/failure.ts';
import type { OutboundAnswer } from '../outbound/outbound.ts';

/** What sites call the agent by: https://www.rfc-editor.org/rfc/rfc9309. */
export const agentName = 'Linkfold-Watch';

interface Rule {
  readonly allows: boolean;
  readonly path: string;
}

const mostRules = 200;
const longestPath = 500;

/** What a robots.txt says to our agent by its name. What it says to search engines, or to all, is not about looks at single pages. */
export function rulesIn(text: string): readonly Rule[] {
  const rules: Rule[] = [];
  let [isOurs, inRules] = [false, false];
  for (const line of text.split(/[\r\n]/)) {
    const [name = '', ...rest] = (line.split('#', 1)[0] ?? '').split(':');
    const value = rest.join(':').trim();
    switch (name.trim().toLowerCase()) {
      case 'user-agent':
        isOurs = (isOurs && !inRules) || value.toLowerCase() === agentName.toLowerCase();
        inRules = false;
        break;
      case 'allow':
      case 'disallow':
        inRules = true;
        if (isOurs && value !== '' && value.length <= longestPath && rules.length < mostRules)
          rules.push({ allows: name.trim().toLowerCase() === 'allow', path: value });
    }
  }
  return rules;
}

/** Whether a path begins as a rule says, where `*` stands for anything and `$` for the end. Linear in both. */
function fits(path: string, rule: string): boolean {
  const isWhole = rule.endsWith('$');
  const [first = '', ...parts] = (isWhole ? rule.slice(0, -1) : rule).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole ? parts.pop() : undefined;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isWhole) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}

/** Of the rules that fit the longest decides; of two that are as long the one that allows. */
export function isAllowed(rules: readonly Rule[], path: string): boolean {
  const [longest] = rules
    .filter((rule) => fits(path, rule.path))
    .sort((a, b) => b.path.length - a.path.length || Number(b.allows) - Number(a.allows));
  return longest?.allows ?? true;
}

const dayMs = 86_400_000;
const mostSites = 10_000;

/**
 * Asks each site once a day what it says to our agent. One that says nothing, or cannot be asked, allows everything.
 * @param read robots.txt at its address
 */
export function createRobots(
  read: (url: string, signal: AbortSignal | undefined) => Promise<OutboundAnswer>,
  now: () => number,
): (url: string, signal: AbortSignal | undefined) => Promise<boolean> {
  const known = new Map<string, { readonly rules: readonly Rule[]; readonly until: number }>();
  const rulesOf = async (origin: string, signal: AbortSignal | undefined): Promise<readonly Rule[]> => {
    try {
      const { status, body } = await read(`${origin}/robots.txt`, signal);
      return status === 200 ? rulesIn(new TextDecoder().decode(body)) : [];
    } catch (error) {
      if (error instanceof OutboundFailure) return [];
      throw error;
    }
  };
  return async (url, signal) => {
    const { origin, pathname, search } = new URL(url);
    let site = known.get(origin);
    if (site === undefined || site.until <= now()) {
      site = { rules: await rulesOf(origin, signal), until: now() + dayMs };
      known.delete(origin);
      known.set(origin, site);
      const [oldest] = known.keys();
      if (known.size > mostSites && oldest !== undefined) known.delete(oldest);
    }
    return isAllowed(site.rules, pathname + search);
  };
}
