import { base, go, withQuery } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { folders, tags } from '../data/groups.ts';
import { meantBy, useNear } from '../data/links/near.ts';
import { findMatches } from '../texts/matching.ts';
import { t } from './texts.ts';

const maxGroups = 3;

/** Suggestions for a search without results: the probable spelling, and matching folders and tags. */
export function Nearest({ search }: { readonly search: string }) {
  const found = useNear(search);
  const named = <G extends { readonly name: string }>(groups: readonly G[] = []) =>
    findMatches(groups, search, ({ name }) => [name], { allowsTypos: true }).slice(0, maxGroups);
  const meant = new Set(found.slice(0, 2).map((link) => meantBy(search, link)));
  return (
    <>
      {[...meant].map((near) => (
        <Button key={near} size="small" onClick={() => go(withQuery({ q: near }))}>
          {t.links.meant(near)}
        </Button>
      ))}
      {named(folders.value).map(({ id, name }) => (
        <Button key={id} size="small" icon="folder" href={`${base}/links?folder=${id}`}>
          {name}
        </Button>
      ))}
      {named(tags.value).map(({ id, name }) => (
        <Button key={id} size="small" icon="hash" href={`${base}/links?tag=${encodeURIComponent(name)}`}>
          {name}
        </Button>
      ))}
    </>
  );
}
