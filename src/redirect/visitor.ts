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

const mostAgents = 4096;
const longestAgent = 512;

/**
 * Makes the function that says who follows a link, from the raw header list of a request (names and values in turn).
 * A browser's declared prefetch comes before who it is. A visitor without a user agent is a bot.
 *
 * Parsing a user agent costs more than the whole redirect, so each distinct one is parsed once, and at most 4,096 are
 * remembered. `IncomingMessage.headers` is not touched: building it costs too.
 */
export const createVisitors = (): ((rawHeaders: readonly string[]) => ClickClass) => {
  const known = new Map<string, ClickClass>();

  const classOfAgent = (given: string): ClickClass => {
    // A plain slice would keep the whole header alive in the cache.
    const agent = given.length > longestAgent ? Buffer.from(given.slice(0, longestAgent)).toString() : given;
    const seen = known.get(agent);
    if (seen !== undefined) return seen;
    const found = linkPreview.test(agent) ? 'preview' : isbot(agent) ? 'bot' : 'human';
    if (known.size >= mostAgents) forgetOldest(known);
    known.set(agent, found);
    return found;
  };

  return (rawHeaders) => {
    let agent = '';
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      if (!mayMatter[name.length]) continue;
      const value = rawHeaders[index + 1] ?? '';
      if (name.length === 10) {
        if (agent === '' && name.toLowerCase() === 'user-agent') agent = value;
      } else if (prefetchHeaders.has(name.toLowerCase()) && isPrefetch(value)) return 'prefetch';
    }
    return agent === '' ? 'bot' : classOfAgent(agent);
  };
};

const prefetchHeaders: ReadonlySet<string> = new Set(['sec-purpose', 'purpose', 'x-purpose', 'x-moz']);
/** By a name's length most headers are passed over without looking at them. */
const mayMatter: readonly boolean[] = Array.from({ length: 12 }, (_, length) =>
  ['user-agent', ...prefetchHeaders].some((name) => name.length === length),
);

/** `prefetch`, `prefetch;prerender`; Safari says `preview` for its top sites. */
const isPrefetch = (value: string): boolean => /^\s*(prefetch|prerender|preview)\b/i.test(value);

const forgetOldest = (known: Map<string, unknown>): void => {
  for (const oldest of known.keys()) {
    known.delete(oldest);
    return;
  }
};
