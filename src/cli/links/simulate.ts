import type { Command } from 'commander';
import type { SimulateLinkInput, Simulation } from '../../client/endpoints.ts';
import { wholeNumber } from '../terminal/options.ts';
import { printLine } from '../terminal/print.ts';
import type { RemoteOptions } from '../terminal/remote.ts';
import { addRecordVerb } from '../terminal/resources.ts';

type Options = RemoteOptions & NonNullable<SimulateLinkInput['visit']>;

const visitOptions = [
  ['--at <time>', 'time of the visit, ISO 8601 (default: now)'],
  ['--path <text>', 'path after the code, such as 123 in /jira/123'],
  ['--user <name>', 'user that a proxy sends in USER_HEADER'],
  ['--query <text>', 'query of the short URL, without ?'],
  ['--user-agent <text>', 'sets browser, operating system and device'],
  ['--languages <text>', 'the Accept-Language header'],
  ['--referrer <host>', 'host of the referring page'],
  ['--country <code>', 'country, ISO 3166-1, two letters'],
  ['--region <code>', 'region'],
  ['--browser <name>', 'such as chrome'],
  ['--os <name>', 'such as ios'],
  ['--device <name>', 'such as mobile'],
  ['--class <class>', 'human, bot, preview or prefetch (default: human)'],
  ['--visitor <number>', 'visitor number, for split tests in rules', wholeNumber],
] as const;

/** Adds `links simulate`, which shows where a visitor would be redirected, and why. */
export function addSimulate(links: Command): void {
  addRecordVerb(links, 'link', 'simulate', {
    about: 'Show where a link would redirect a visitor, and why; counts no click',
    examples: [
      ['linkfold links simulate spring --os ios --country AT', 'a phone in Austria'],
      ['linkfold links simulate jira --path 123', 'where a template redirects /jira/123'],
      ["linkfold links simulate spring --languages 'de-AT,de;q=0.9'", 'a browser set to German'],
    ],
    options: visitOptions,
    run: ({ client }, id, { server: _, keyFile: _key, profile: _name, json: _json, ...visit }: Options) =>
      client.simulateLink(id, { visit }),
    show: (simulation) => {
      for (const line of linesOf(simulation)) printLine(line);
    },
  });
}

const outcomes: Readonly<Record<Simulation['outcome'], string>> = {
  redirect: 'is redirected',
  app: 'sees a page that offers the app',
  card: 'gets the link’s social card',
  'not-started': 'sees a page: the link is not active yet',
  expired: 'sees a page: the link has expired',
  disabled: 'sees a page: the link is disabled',
  exhausted: 'sees a page: the link has reached its click limit',
  gone: 'sees a page: the link is not available to this visitor',
  unfilled: 'sees a page: a placeholder in the destination has no value',
  refused: 'sees a page: the link may not redirect to this URL',
  'too-long': 'sees a page: the URL is too long',
};

const languageReasons: Readonly<Record<NonNullable<Simulation['language']>['reason'], string>> = {
  rule: 'matches a rule',
  destination: 'matches the destination',
  any: 'accepts any language: the destination',
  'less-preferred':
    'None: no rule has a language that the visitor prefers, and the destination’s language is unknown',
  'no-match': 'None matches',
};

function languageLine({ chosen, range, reason }: NonNullable<Simulation['language']>): string {
  const why = [range, languageReasons[reason]].filter((part) => part !== null).join(' ');
  return `Language: ${chosen === null ? why : `${chosen} (${why})`}.`;
}

function linesOf({ outcome, status, location, rule, variant, language, rules }: Simulation): string[] {
  const split = variant === null ? '' : `, variant ${variant + 1} of its split`;
  return [
    `${status}  ${location ?? `The visitor ${outcomes[outcome]}.`}`,
    ...(rules.length > 0 ? [rule === null ? 'No rule matches.' : `Rule ${rule + 1} wins${split}.`] : []),
    ...(language === null ? [] : [languageLine(language)]),
    ...rules.flatMap(({ name, holds, conditions }, index) => [
      `${holds ? '✓' : '✗'} ${index + 1}. ${name ?? 'Rule'}${index === rule ? ' ← wins' : ''}`,
      ...conditions.map((condition) => `    ${condition.holds ? '✓' : '✗'} ${condition.fact}`),
    ]),
  ];
}
