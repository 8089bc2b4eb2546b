import type { Command } from 'commander';
import type { Simulation } from '../../client/endpoints.ts';
import { wholeNumber } from '../terminal/options.ts';
import { say, sayJson } from '../terminal/print.ts';
import { aboutLink, linkId } from '../terminal/references.ts';
import { addServerCommand, openPlace, type RemoteOptions } from '../terminal/remote.ts';

interface SimulateOptions extends RemoteOptions {
  readonly at?: string;
  readonly query?: string;
  readonly userAgent?: string;
  readonly languages?: string;
  readonly referrer?: string;
  readonly country?: string;
  readonly region?: string;
  readonly browser?: string;
  readonly os?: string;
  readonly device?: string;
  readonly class?: 'human' | 'bot' | 'preview' | 'prefetch';
  readonly visitor?: number;
}

/** `links simulate`: what a visitor of a link would meet, and why. */
export function addSimulate(links: Command): void {
  addServerCommand(links, 'simulate', 'Say where a visitor of a link would go, and why; nothing is counted', {
    examples: [
      ['linkfold links simulate spring --os ios --country AT', 'a phone in Austria'],
      ["linkfold links simulate spring --languages 'de-AT,de;q=0.9'", 'a browser set to German'],
    ],
  })
    .argument('<link>', aboutLink)
    .option('--at <time>', 'when the visitor comes, ISO 8601 (default: now)')
    .option('--query <text>', 'query of the short URL, without ?')
    .option('--user-agent <text>', 'gives browser, os and device')
    .option('--languages <text>', 'the whole Accept-Language')
    .option('--referrer <host>', 'host that the visitor comes from')
    .option('--country <code>', 'ISO 3166-1, two letters')
    .option('--region <code>', 'region')
    .option('--browser <word>', 'such as chrome')
    .option('--os <word>', 'such as ios')
    .option('--device <word>', 'such as mobile')
    .option('--class <word>', 'human, bot, preview or prefetch (default: human)')
    .option('--visitor <number>', 'which of the visitors that a split divides', wholeNumber)
    .action(async (given: string, options: SimulateOptions) => {
      const { server: _server, keyFile: _keyFile, profile: _profile, json, ...visit } = options;
      const place = await openPlace(options);
      const simulation = await place.client.simulateLink(await linkId(place, given), { visit });
      if (json) sayJson(simulation);
      else for (const line of linesOf(simulation)) say(line);
    });
}

const meanings: Readonly<Record<Simulation['outcome'], string>> = {
  redirect: 'is sent on',
  card: 'gets the card of the link',
  'not-started': 'meets a page: the link does not work yet',
  expired: 'meets a page: the link has expired',
  disabled: 'meets a page: the link is switched off',
  exhausted: 'meets a page: the link was followed as often as it may be',
  gone: 'meets a page: the link is not for this visitor',
};

const languageReasons: Readonly<Record<NonNullable<Simulation['language']>['reason'], string>> = {
  rule: 'matches a rule',
  destination: 'matches the destination',
  any: 'accepts any language: the destination',
  'less-preferred':
    'None: the visitor prefers languages that no rule has, and that of the destination is unknown',
  'no-match': 'None matches',
};

function languageLine({ chosen, range, reason }: NonNullable<Simulation['language']>): string {
  const why = [range, languageReasons[reason]].filter((part) => part !== null).join(' ');
  return `Language: ${chosen === null ? why : `${chosen} (${why})`}.`;
}

function linesOf({ outcome, status, location, rule, variant, language, rules }: Simulation): string[] {
  const way = variant === null ? '' : `, way ${variant + 1} of its split`;
  return [
    `${status}  ${location ?? `The visitor ${meanings[outcome]}.`}`,
    ...(rules.length > 0 ? [rule === null ? 'No rule holds.' : `Rule ${rule + 1} wins${way}.`] : []),
    ...(language === null ? [] : [languageLine(language)]),
    ...rules.flatMap(({ name, holds, conditions }, place) => [
      `${holds ? '✓' : '✗'} ${place + 1}. ${name ?? 'Rule'}${place === rule ? ' ← wins' : ''}`,
      ...conditions.map((condition) => `    ${condition.holds ? '✓' : '✗'} ${condition.fact}`),
    ]),
  ];
}
