import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { api } from '../data/client.ts';
import { normalUrl } from '../data/links/addresses.ts';
import type { FullLink } from '../data/links/links.ts';
import { t } from '../history/texts.ts';
import { fieldName, valueText, whoIn } from '../history/words.ts';
import { changesBetween, type Draft } from './draft.ts';
import { draftOf } from './save.ts';

interface Versions {
  /** Draft when the form was opened. */
  readonly start: Draft;
  /** Current draft in the form. */
  readonly draft: Draft;
  /** The link's current state on the server. */
  readonly now: FullLink;
}

interface ConflictProps extends Versions {
  readonly isBusy: boolean;
  readonly onSave: () => void;
  readonly onDrop: () => void;
}

/** Resolves conflicting edits: shows both versions side by side before either is overwritten. */
export function Conflict({ isBusy, onSave, onDrop, ...versions }: ConflictProps) {
  const who = useLastEditor(versions.now);
  return (
    <section class="conflict" role="alert" aria-label={t.conflict.title(who)}>
      <p>{t.conflict.title(who)}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.conflict.field}</th>
            <th scope="col">{t.conflict.yours}</th>
            <th scope="col">{t.conflict.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(versions).map(({ name, yours, theirs, isYours }) => (
            <tr key={name}>
              <th scope="row">{fieldName(name)}</th>
              <td class={isYours ? 'stands' : 'falls'} dir="auto">
                {yours}
              </td>
              <td class={isYours ? 'falls' : 'stands'} dir="auto">
                {theirs}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="small soft">{t.conflict.about}</p>
      <div class="actions">
        <Button kind="primary" isBusy={isBusy} onClick={onSave}>
          {t.conflict.save}
        </Button>
        <Button onClick={onDrop}>{t.conflict.drop}</Button>
      </div>
    </section>
  );
}

/** Returns a phrase that names the user who last edited the link. */
function useLastEditor({ id, revision }: FullLink): string {
  const [who, setWho] = useState(t.conflict.meanwhile);
  useEffect(() => {
    api.linkHistory(id, { limit: 1 }).then(
      ({ data: [last] }) => last && setWho(whoIn(last)),
      () => {}, // the editor's name is optional
    );
  }, [id, revision]);
  return who;
}

/** Returns the fields that differ between any two of the versions. */
function rowsOf({ start, draft, now }: Versions) {
  const theirs = draftOf(now);
  const mine = differences(start, draft);
  const others = differences(start, theirs);
  const names = [...new Set([...Object.keys(mine), ...Object.keys(others)])];
  const before = { ...differences(draft, start), ...differences(theirs, start) };
  return names.map((name) => ({
    name,
    isYours: name in mine,
    yours: shown(name, name in mine ? mine[name] : before[name]),
    theirs: shown(name, name in others ? others[name] : before[name]),
  }));
}

/** Returns the API names of the fields that differ between two drafts. */
function differences(from: Draft, to: Draft): Record<string, unknown> {
  const { url, customCode, folderId } = to;
  return {
    ...(normalUrl(url) === normalUrl(from.url) ? {} : { destinationUrl: url }),
    ...(customCode.trim() === from.customCode.trim() ? {} : { shortCode: customCode.trim() }),
    ...(folderId === from.folderId ? {} : { folderId }),
    ...changesBetween(from, to),
  };
}

function shown(name: string, value: unknown): string {
  return name === 'password' && value !== null ? t.history.another : valueText(name, value);
}
