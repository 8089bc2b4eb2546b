import { parseArgs } from 'node:util';

/** What can be measured, in the order in which it is. */
export const parts = [
  'browser',
  'host',
  'node-http',
  'strict',
  'tls',
  'domains',
  'beside',
  'creates',
  'lists',
  'start',
  'memory',
  'sustained',
] as const;
export type Part = (typeof parts)[number];

/** One word for the parts that measure redirects alone. */
export const redirectParts: readonly Part[] = ['browser', 'host', 'node-http', 'strict', 'tls'];

/** How long and how often; every figure is the median of its rounds. */
export interface Pace {
  /** Rounds of redirects and creates; the other parts take `fewRounds`. */
  readonly rounds: number;
  readonly fewRounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly starts: number;
}

export interface Options {
  readonly links: number;
  readonly only: ReadonlySet<Part>;
  readonly pace: Pace;
  /** A revision or a folder, measured beside this version in the same rounds. */
  readonly compare: string | undefined;
  /** Says where the time of a redirect goes, and measures nothing else. */
  readonly profile: boolean;
  readonly load: 'wrk' | 'autocannon' | undefined;
  /** How long the sustained load lasts, and after how long memory is looked at again; seconds. */
  readonly sustained: { readonly seconds: number; readonly settle: number };
  readonly json: string | undefined;
}

const usual: Pace = { rounds: 7, fewRounds: 5, seconds: 2, warmUpSeconds: 3, starts: 9 };
// Two versions are told apart by many short rounds: each is a witness.
const comparing: Pace = { rounds: 12, fewRounds: 8, seconds: 1, warmUpSeconds: 3, starts: 12 };
const quick: Pace = { rounds: 2, fewRounds: 1, seconds: 1, warmUpSeconds: 1, starts: 3 };

export const usage = `npm run bench -- [options]

  --quick          fewer and shorter rounds: a look, not a measurement
  --only PARTS     some of ${parts.join(', ')};
                   redirects stands for the first five
  --compare REV    measure another version too, in the same rounds, and name what is worse by 5 % or more (then the
                   exit code is 1); REV is a commit, branch or tag, or a folder with a checkout
  --profile        where the microseconds of one redirect go, and nothing else
  --links N        size of the large database; default 1,000,000 (made once, kept in bench/.cache)
  --sustained S[,T] seconds of sustained load, and after how many more memory is looked at again; default 30,0;
                   130,300 is what goals are for
  --load NAME      wrk or autocannon; default: wrk when it is installed
  --json FILE      write the figures as JSON too
`;

/** Reads the command line. @returns undefined when help was asked for. @throws Error with a sentence about what is wrong */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      links: { type: 'string', default: '1000000' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: parts.join(',') },
      compare: { type: 'string' },
      profile: { type: 'boolean', default: false },
      load: { type: 'string' },
      sustained: { type: 'string', default: '30,0' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    links: linksOf(values.links),
    only: new Set(values.only.split(',').flatMap(partsOf)),
    pace: values.quick ? quick : values.compare === undefined ? usual : comparing,
    compare: values.compare,
    profile: values.profile,
    load: values.load === undefined ? undefined : loadOf(values.load),
    sustained: sustainedOf(values.sustained),
    json: values.json,
  };
}

function sustainedOf(text: string): Options['sustained'] {
  const [seconds = Number.NaN, settle = 0] = text.split(',').map(Number);
  if (seconds >= 10 && settle >= 0) return { seconds, settle };
  throw new Error(
    '--sustained must be seconds, at least 10, and perhaps seconds after them, such as 130,300.',
  );
}

// Below, a page of 100 from deep inside would be the first page. Clicks are spread by hundreds of links.
const fewestLinks = 2_000;

function linksOf(text: string): number {
  const links = Number(text.replaceAll(/[,_]/g, ''));
  if (Number.isInteger(links) && links >= fewestLinks && links % 100 === 0) return links;
  throw new Error(`--links must be a multiple of 100, and at least ${fewestLinks}.`);
}

function partsOf(text: string): readonly Part[] {
  if (text.trim() === 'redirects') return redirectParts;
  const part = parts.find((one) => one === text.trim());
  if (part !== undefined) return [part];
  throw new Error(`--only knows ${parts.join(', ')} and redirects, not "${text}".`);
}

function loadOf(text: string): 'wrk' | 'autocannon' {
  if (text === 'wrk' || text === 'autocannon') return text;
  throw new Error('--load must be wrk or autocannon.');
}
