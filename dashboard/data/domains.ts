import { computed, signal } from '@preact/signals';
import type { ListDomainsResult } from '../../src/client/client.ts';

export type Domain = ListDomainsResult[number];

/** The account's own domains and the shared one, by their hosts; undefined until they are read. */
export const domains = signal<readonly Domain[] | undefined>(undefined);

/** Those on which links can be made. */
export const usableDomains = computed(
  () => domains.value?.filter(({ status }) => status !== 'pending') ?? [],
);

/** Whether links are on several domains: only then anything is said of where they are. */
export const hasSeveral = computed(() => usableDomains.value.length > 1);

export function domainOf(host: string): Domain | undefined {
  return domains.value?.find((domain) => domain.host === host);
}

/** Where links are made that name none. */
export function defaultDomain(): Domain | undefined {
  return usableDomains.value.find(({ isDefault }) => isDefault);
}
