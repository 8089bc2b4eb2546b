import type { Link } from '../data/links/links.ts';
import { t } from './texts.ts';

/** Warns that a manifest manages a link, so that the next `linkfold apply` will revert the change. */
export function Managed({ links }: { readonly links: readonly Pick<Link, 'managedBy'>[] }) {
  const names = new Set(links.flatMap(({ managedBy }) => managedBy ?? []));
  if (names.size === 0) return null;
  return (
    <p class="warning" role="note">
      <span>
        <b>{t.managedBy([...names].join(', '))}.</b> {t.field.managed}
      </span>
    </p>
  );
}
