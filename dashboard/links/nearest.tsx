import { useEffect, useState } from 'preact/hooks';
import { nearestTo } from '../../src/runtime/spelling.ts';
import { go, withQuery } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { api } from '../data/client.ts';
import type { Link } from '../data/links/links.ts';
import { rowsNow } from '../data/links/list.ts';
import { t } from './texts.ts';

/** What was probably meant by a search that finds nothing: the nearest word of a code or a title. */
export function Nearest({ search }: { readonly search: string }) {
  const [found, setFound] = useState<readonly Link[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    // Most slips are in the middle or at the end: what begins alike is asked for, too.
    const input = { search: search.trim().slice(0, 3), cursor: '', limit: 100, include: ['title'] as const };
    api.listLinks({ ...input, include: [...input.include] }, { signal: controller.signal }).then(
      ({ data }) => setFound(data as readonly Link[]),
      () => {},
    );
    return () => controller.abort();
  }, [search]);
  const words = [...rowsNow(), ...found].flatMap(({ shortCode, title }) => [
    shortCode,
    ...(title ?? '').split(/[\s,.;:!?()]+/),
  ]);
  const near = nearestTo(search.trim(), words);
  if (near === undefined) return null;
  return (
    <Button size="small" onClick={() => go(withQuery({ q: near }))}>
      {t.links.meant(near)}
    </Button>
  );
}
