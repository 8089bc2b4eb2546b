import { isbot } from 'isbot';
import type { ClickClass } from '../domain/clicks.ts';

/** Fetchers that show a card for a link in a chat or feed. iMessage calls itself facebookexternalhit and Twitterbot. */
const linkPreview = new RegExp(
  [
    ...[
      'Slackbot-LinkExpanding',
      'Slack-ImgProxy',
      'facebookexternalhit',
      'facebookcatalog',
      'Facebot',
      'Twitterbot',
    ],
    ...[
      '^WhatsApp/',
      'TelegramBot',
      'Discordbot',
      'LinkedInBot',
      'SkypeUriPreview',
      'MicrosoftPreview',
      'BingPreview',
    ],
    ...['Snap URL Preview', 'Pinterestbot', 'redditbot', 'Mastodon/', 'Bluesky Cardyb', 'Synapse/'],
    ...['Iframely', 'Embedly', 'vkShare', 'kakaotalk-scrap', '^Viber/', 'ZoomBot', 'Google-PageRenderer'],
    ...['GoogleMessages', 'SkypeSpaces', 'Tumblr/'],
  ].join('|'),
  'i',
);

const maxAgents = 4096;
const longestAgent = 512;

/** The class of a visitor. @param agent the user agent, empty when there is none; @param prefetch see {@link isPrefetch} */
export type Classify = (agent: string, prefetch: boolean) => ClickClass;

/**
 * Makes the function that classifies visitors. A declared prefetch is a prefetch with any user agent. A visitor without a
 * user agent is a bot.
 *
 * Parsing a user agent costs more than the whole redirect, so each distinct one is parsed once, and at most 4,096 are
 * remembered.
 */
export function createClassify(): Classify {
  const known = new Map<string, ClickClass>();

  const classOfAgent = (given: string): ClickClass => {
    const agent = given.length > longestAgent ? given.slice(0, longestAgent) : given;
    const seen = known.get(agent);
    if (seen !== undefined) return seen;
    const found = linkPreview.test(agent) ? 'preview' : isbot(agent) ? 'bot' : 'human';
    if (known.size >= maxAgents) forgetOldest(known);
    // A copy: a slice would keep the whole header, or the whole request, alive in here.
    known.set(Buffer.from(agent, 'latin1').toString('latin1'), found);
    return found;
  };

  return (agent, prefetch) => (prefetch ? 'prefetch' : agent === '' ? 'bot' : classOfAgent(agent));
}

/** The headers in which browsers and fetchers state the purpose of a request. */
export const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a purpose header declares a prefetch: `prefetch`, `prefetch;prerender`; Safari says `preview` for its top sites. */
export function isPrefetch(value: string): boolean {
  return /^\s*(prefetch|prerender|preview)\b/i.test(value);
}

/**
 * The class of a visitor by the raw header list of a request: names and values alternate. Building
 * `IncomingMessage.headers` would cost more.
 */
export function classOf(rawHeaders: readonly string[], classify: Classify): ClickClass {
  let agent = '';
  let prefetch = false;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!mayMatter[name.length]) continue;
    const value = rawHeaders[index + 1] ?? '';
    if (name.length === 10) {
      if (agent === '' && name.toLowerCase() === 'user-agent') agent = value;
    } else if (purposes.has(name.toLowerCase())) prefetch ||= isPrefetch(value);
  }
  return classify(agent, prefetch);
}

const purposes: ReadonlySet<string> = new Set(purposeHeaders);
/** The length of its name alone rules out most headers. */
const mayMatter: readonly boolean[] = Array.from({ length: 12 }, (_, length) =>
  ['user-agent', ...purposeHeaders].some((name) => name.length === length),
);

function forgetOldest(known: Map<string, unknown>): void {
  for (const oldest of known.keys()) {
    known.delete(oldest);
    return;
  }
}
