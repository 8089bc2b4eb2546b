import { isbot } from 'isbot';
import type { ClickClass } from '../model/clicks/clicks.ts';

/**
 * Matches user agents that fetch a preview card for a chat or feed. iMessage sends facebookexternalhit and Twitterbot.
 */
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

// Matches HTTP clients and mail scanners that isbot classifies as browsers.
const program =
  /PowerShell\/|\bDalvik\/|\bCFNetwork\/|\bCronet\/|\bokhttp\b|\bDart\/|compatible; (?:Mimecast|ProofPoint)|Barracuda Sentinel|^Java/i;

/**
 * Classifies a visitor by user agent. An empty user agent counts as a bot. The classification costs more than the whole
 * redirect, so callers cache the result by user agent.
 */
export function classOfAgent(agent: string): ClickClass {
  if (agent === '') return 'bot';
  if (linkPreview.test(agent)) return 'preview';
  return isbot(agent) || program.test(agent) ? 'bot' : 'human';
}
