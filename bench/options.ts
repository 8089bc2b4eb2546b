import { parseArgs } from 'node:util';

/** What can be measured, in the order in which it is. */
export const topics = ['redirects', 'creates', 'lists', 'start', 'memory'] as const;
export type Topic = (typeof topics)[number];

/** How long and how often; every figure is the median of its rounds. */
export interface Pace {
  /** Rounds of redirects; the other topics take `fewRounds`. */
  readonly rounds: number;
  readonly fewRounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly starts: number;
}

export interface Options {
  readonly links: number;
  readonly only: ReadonlySet<Topic>;
  readonly pace: Pace;
  /** Another checkout, measured beside this one in the same rounds. */
  readonly against: string | undefined;
  readonly load: 'wrk' | 'autocannon' | undefined;
  readonly json: string | undefined;
}

const usual: Pace = { rounds: 5, fewRounds: 3, seconds: 2, warmUpSeconds: 2, starts: 9 };
const quick: Pace = { rounds: 2, fewRounds: 1, seconds: 1, warmUpSeconds: 1, starts: 3 };

export const usage = `npm run bench -- [options]

  --links N        size of the large database; default 1,000,000 (made once, kept in bench/.cache)
  --quick          fewer and shorter rounds: a look, not a measurement
  --only TOPICS    some of ${topics.join(', ')}
  --against DIR    measure another checkout beside this one, in the same rounds
  --load NAME      wrk or autocannon; default: wrk when it is installed
  --json FILE      write the figures as JSON too
`;

/** Reads the command line. @returns undefined when help was asked for. @throws Error with a sentence about what is wrong */
export const readOptions = (args: readonly string[]): Options | undefined => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      links: { type: 'string', default: '1000000' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: topics.join(',') },
      against: { type: 'string' },
      load: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    links: linksOf(values.links),
    only: new Set(values.only.split(',').map(topicOf)),
    pace: values.quick ? quick : usual,
    against: values.against,
    load: values.load === undefined ? undefined : loadOf(values.load),
    json: values.json,
  };
};

// Below, a page of 100 from deep inside would be the first page.
const fewestLinks = 2_000;

const linksOf = (text: string): number => {
  const links = Number(text.replaceAll(/[,_]/g, ''));
  if (Number.isInteger(links) && links >= fewestLinks) return links;
  throw new Error(`--links must be a whole number from ${fewestLinks}.`);
};

const topicOf = (text: string): Topic => {
  const topic = topics.find((one) => one === text.trim());
  if (topic !== undefined) return topic;
  throw new Error(`--only knows ${topics.join(', ')}, not "${text}".`);
};

const loadOf = (text: string): 'wrk' | 'autocannon' => {
  if (text === 'wrk' || text === 'autocannon') return text;
  throw new Error('--load must be wrk or autocannon.');
};
