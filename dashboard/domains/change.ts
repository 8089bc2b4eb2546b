import { api } from '../data/client.ts';
import { type Domain, domains } from '../data/domains.ts';
import { loadDomains } from '../data/groups.ts';
import { notify } from '../data/undo.ts';
import { t } from './texts.ts';
import { explainRefusal } from './words.tsx';

/**
 * Makes a domain the default for new links. If the domain is the shared domain, removes the current default instead.
 */
export async function setDefault({ id, isShared, hostUnicode }: Domain): Promise<void> {
  try {
    const before = domains.peek()?.find((one) => one.isDefault && !one.isShared);
    if (!isShared) await api.updateDomain(id, { isDefault: true });
    else if (before !== undefined) await api.updateDomain(before.id, { isDefault: false });
    notify(t.domains.madeDefault(hostUnicode));
  } catch (error) {
    notify(explainRefusal(error), { isError: true });
  }
  await loadDomains().catch(() => {});
}

/** Updates a loaded domain with the server's response. */
export function keepDomain(changed: Domain): void {
  domains.value = domains.peek()?.map((one) => (one.id === changed.id ? { ...one, ...changed } : one));
}
