import { parseArgs } from 'node:util';

/** The parts of the benchmark, in order. */
export const parts = [
  'browser',
  'host',
  'node-http',
  'strict',
  'tls',
  'connections',
  'mixed',
  'creates',
  'start',
  'memory',
  'sustained',
] as const;
export type Part = (typeof parts)[number];

/** Parts included in `redirects`. */
export const redirectParts: readonly Part[] = ['browser', 'host', 'node-http', 'strict', 'tls'];

/** Length and number of rounds. Every result is the median of its rounds. */
export interface Pace {
  /** Rounds of redirects and creates; the other parts use `fewRounds`. */
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
  /** A revision or folder to measure in the same rounds as this version. */
  readonly compare: string | undefined;
  /** Prints a profile of a redirect and measures nothing else. */
  readonly profile: boolean;
  readonly load: 'wrk' | 'autocannon' | undefined;
  /** Duration of sustained load, and time until memory is read again, in seconds. */
  readonly sustained: { readonly seconds: number; readonly settle: number };
  readonly json: string | undefined;
}

const usual: Pace = { rounds: 7, fewRounds: 5, seconds: 2, warmUpSeconds: 3, starts: 9 };
// Many short rounds distinguish two versions best.
const comparing: Pace = { rounds: 12, fewRounds: 8, seconds: 1, warmUpSeconds: 3, starts: 12 };
const quick: Pace = { rounds: 2, fewRounds: 1, seconds: 1, warmUpSeconds: 1, starts: 3 };

export const usage = `npm run bench -- [options]

  --quick          fewer and shorter rounds, for a first impression
  --only PARTS     some of ${parts.join(', ')};
                   redirects stands for the first five
  --compare REV    also measure another version in the same rounds, and list what is at least 5 % worse (exit code 1);
                   REV is a commit, branch or tag, or a folder with a checkout
  --profile        print where the time of a redirect goes, and nothing else
  --links N        links in the large database; default 1,000,000 (created once, kept in bench/.cache)
  --sustained S[,T] seconds of sustained load, and seconds until memory is read again; default 30,0; the goals are
                   for 130,300
  --load NAME      wrk or autocannon; default: wrk when it is installed
  --json FILE      write the figures as JSON too
`;

/** Parses the command line. @returns undefined for --help. @throws Error with a sentence about what is wrong */
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

// Clicks are distributed by hundreds of links.
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
