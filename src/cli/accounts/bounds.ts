import { Option } from 'commander';
import { type Bounds, boundsProblems } from '../../model/accounts/reach.ts';
import { boundsOf } from '../../model/domains/bounds.ts';
import { exits, Stop } from '../terminal/exits.ts';

/** What a key or a person is bound to, as a command is told. */
export interface BoundsOptions {
  readonly domain?: readonly string[];
  readonly folder?: readonly string[];
}

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

export function boundsOptions(): readonly [Option, Option] {
  return [
    new Option(
      '--domain <host>',
      'bind it to links on this domain; may be repeated. Links elsewhere do not exist for it',
    ).argParser(collect),
    new Option('--folder <id>', 'bind it to links in this folder; may be repeated').argParser(collect),
  ];
}

/** @throws Stop, Failure DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND */
export function boundsIn(
  { BASE_URL }: { readonly BASE_URL: string | null },
  { domain, folder }: BoundsOptions,
): Bounds | undefined {
  const wanted = { domains: domain, folders: folder };
  const [problem] = boundsProblems(wanted);
  if (problem !== undefined) throw new Stop(exits.usage, problem.message);
  return boundsOf(BASE_URL === null ? 'localhost' : new URL(BASE_URL).hostname, wanted);
}
