import type { Option } from 'commander';
import { type KeyRestrictions, restrictionProblems } from '../../model/accounts/key-restrictions.ts';
import { domainRestrictions } from '../../model/domains/key-restrictions.ts';
import { listOption } from '../terminal/command.ts';
import { exits, Stop } from '../terminal/exits.ts';

/** Options that restrict a key or a member. */
export interface RestrictionOptions {
  readonly domain?: readonly string[];
  readonly folder?: readonly string[];
}

export function restrictionOptions(): readonly Option[] {
  return [
    listOption('--domain <host>', 'restrict access to links on this domain; may be repeated'),
    listOption(
      '--folder <folder>',
      'restrict access to links in this folder, by name or ID; may be repeated',
    ),
  ];
}

/**
 * Converts the options to key restrictions. Returns undefined if no restriction is given.
 * @throws Stop if an option is invalid
 */
export function restrictionsIn(
  { BASE_URL }: { readonly BASE_URL: string | null },
  { domain, folder }: RestrictionOptions,
): KeyRestrictions | undefined {
  const wanted = { domains: domain, folders: folder };
  const [problem] = restrictionProblems(wanted);
  if (problem !== undefined) throw new Stop(exits.usage, problem.message);
  return domainRestrictions(BASE_URL === null ? 'localhost' : new URL(BASE_URL).hostname, wanted);
}
