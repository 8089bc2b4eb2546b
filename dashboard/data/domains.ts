import { computed, signal } from '@preact/signals';
import type { ListDomainsResult } from '../../src/client/client.ts';

export type Domain = ListDomainsResult[number];

/** The account's domains and the shared domain. Undefined until the domains are loaded. */
export const domains = signal<readonly Domain[] | undefined>(undefined);

/** Domains on which links can be created. */
export const usableDomains = computed(
  () => domains.value?.filter(({ status }) => status !== 'pending') ?? [],
);

/** Whether there are several domains. If not, links are shown without their domain. */
export const hasSeveral = computed(() => usableDomains.value.length > 1);

export function domainOf(host: string): Domain | undefined {
  return domains.value?.find((domain) => domain.host === host);
}

/** Returns the default domain for new links. */
export function defaultDomain(): Domain | undefined {
  return usableDomains.value.find(({ isDefault }) => isDefault);
}
