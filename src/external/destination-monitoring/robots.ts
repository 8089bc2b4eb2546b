import { OutboundFailure } from '../outbound/failure.ts';
import type { OutboundAnswer } from '../outbound/outbound.ts';

/** Product token for robots.txt (RFC 9309). */
export const agentName = 'Linkfold-Watch';

interface Rule {
  readonly allows: boolean;
  readonly path: string;
}

const maxRules = 200;
const maxPathLength = 500;

/**
 * Returns the robots.txt rules that name our agent. Ignores rules for search engines or for all agents, because they
 * apply to crawling, not to checking individual pages.
 */
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
        if (isOurs && value !== '' && value.length <= maxPathLength && rules.length < maxRules)
          rules.push({ allows: name.trim().toLowerCase() === 'allow', path: value });
    }
  }
  return rules;
}

/** Returns true if a path matches a rule, where `*` matches anything and `$` the end. Takes linear time. */
function fits(path: string, rule: string): boolean {
  const isComplete = rule.endsWith('$');
  const [first = '', ...parts] = (isComplete ? rule.slice(0, -1) : rule).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isComplete ? parts.pop() : undefined;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isComplete) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}

/**
 * Returns true if the rules allow a path. The longest matching rule decides; if two are equally long, the rule that
 * allows the path wins.
 */
export function isAllowed(rules: readonly Rule[], path: string): boolean {
  const [longest] = rules
    .filter((rule) => fits(path, rule.path))
    .sort((a, b) => b.path.length - a.path.length || Number(b.allows) - Number(a.allows));
  return longest?.allows ?? true;
}

const dayMs = 86_400_000;
const maxSites = 10_000;

/**
 * Creates the robots.txt check. It reads each site's rules once a day. A site that is unreachable or has no robots.txt
 * allows everything.
 * @param read reads robots.txt from its URL
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
      if (known.size > maxSites && oldest !== undefined) known.delete(oldest);
    }
    return isAllowed(site.rules, pathname + search);
  };
}
