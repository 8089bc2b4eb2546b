import { useEffect, useRef, useState } from 'preact/hooks';
import { maxSubjects, type SharedSubject, sharedKinds } from '../../src/model/clicks/shared-subjects.ts';
import { base, go, query } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { type Option, Picker } from '../components/combobox.tsx';
import { Page } from '../components/page.tsx';
import { Popover } from '../components/popover.tsx';
import { api } from '../data/client.ts';
import { folders, groupOptions } from '../data/groups.ts';
import { Compare } from '../statistics/compare.tsx';
import { allLinks, type Subject } from '../statistics/model/answer.ts';
import { type Listed, MadeShare, NewShare, Shares } from './dialog.tsx';
import { t } from './texts.ts';

/** Parses a subject in the format `kind:id`, which URLs and options use. */
function subjectIn(text: string) {
  const at = text.indexOf(':');
  const kind = sharedKinds.find((one) => one === text.slice(0, at));
  return kind === undefined ? [] : [{ kind, id: text.slice(at + 1) }];
}

function statisticsSubject({ kind, id }: SharedSubject): Subject {
  return kind === 'campaign' ? { ...allLinks, campaign: id } : { kind, id };
}

/** Returns the options: folders, tags, the links and campaigns with the most clicks, and the links in the URL. */
function useOptions(chosen: readonly string[]): readonly Option[] {
  const [found, setFound] = useState<readonly Option[]>([]);
  useEffect(() => {
    const add = (options: readonly Option[]) => setFound((before) => [...before, ...options]);
    const ignore = () => {}; // without these options, folders and tags can still be compared
    const link = ({ id, title, shortCode }: { id: string; title?: string | null; shortCode: string }) => ({
      value: `link:${id}`,
      label: title || `/${shortCode}`,
      icon: 'link' as const,
    });
    for (const { kind, id } of chosen.flatMap(subjectIn))
      if (kind === 'link') api.getLink(id, { include: ['title'] }).then((one) => add([link(one)]), ignore);
    api
      .listLinks({ sort: 'clicks', limit: 100, include: ['title'] })
      .then(({ data }) => add(data.map(link)), ignore);
    api.accountStatistics({ groupBy: 'utmCampaign', limit: 100 }).then(({ breakdown }) => {
      const campaigns = (breakdown?.values ?? []).filter(({ value }) => value !== '');
      add(
        campaigns.map(({ value }) => ({ value: `campaign:${value}`, label: value, icon: 'filter' as const })),
      );
    }, ignore);
  }, []);
  const all: readonly Option[] = [...groupOptions(), ...found];
  return [...new Map(all.map((option) => [option.value, option])).values()];
}

/**
 * Page that compares one to four links, folders, tags or campaigns named in the URL. Users can share the comparison.
 */
export function ComparePage() {
  const chosen = query.value
    .getAll('of')
    .filter((one) => subjectIn(one).length > 0)
    .slice(0, maxSubjects);
  const options = useOptions(chosen);
  const [isAdding, setAdding] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const nameOf = (one: string) =>
    options.find(({ value }) => value === one)?.label ?? one.replace(/^\w+:/, '');
  const set = (all: readonly string[]) => {
    const search = new URLSearchParams(query.peek());
    search.delete('of');
    for (const one of all) search.append('of', one);
    setSharing(false);
    go(`${base}/compare?${search}`, { replace: true });
  };
  const subjects = chosen.flatMap(subjectIn);
  return (
    <Page
      title={t.places.compare}
      about={t.comparing.about}
      actions={
        <Button
          icon="share"
          disabledReason={chosen.length === 0 ? t.comparing.none : undefined}
          onClick={() => setSharing(!isSharing)}
        >
          {t.comparing.share}
        </Button>
      }
    >
      <p class="compared-subjects">
        {chosen.map((one) => (
          <Button
            key={one}
            size="small"
            icon="close"
            rest={{ 'aria-label': t.remove(nameOf(one)) }}
            onClick={() => set(chosen.filter((other) => other !== one))}
          >
            {nameOf(one)}
          </Button>
        ))}
        {chosen.length < maxSubjects && (
          <Button size="small" icon="plus" rest={{ ref: anchor }} onClick={() => setAdding(!isAdding)}>
            {t.comparing.add}
          </Button>
        )}
      </p>
      {isAdding && (
        <Popover anchor={anchor} class="menu" label={t.comparing.add} onClose={() => setAdding(false)}>
          <Picker
            label={t.comparing.add}
            options={options.filter(({ value }) => !chosen.includes(value))}
            onTake={({ value }) => {
              setAdding(false);
              set([...chosen, value]);
            }}
          />
        </Popover>
      )}
      {isSharing && <Sharing subjects={subjects} />}
      {subjects.length === 0 || folders.value === undefined ? (
        <p class="soft">{t.comparing.none}</p>
      ) : (
        <Compare
          key={chosen.join()}
          subjects={subjects.map((one, at) => ({
            subject: statisticsSubject(one),
            name: nameOf(chosen[at] ?? ''),
          }))}
        />
      )}
    </Page>
  );
}

/** Section that creates a share of the comparison and lists existing shares. */
function Sharing({ subjects }: { readonly subjects: ReturnType<typeof subjectIn> }) {
  const [token, setToken] = useState<string>();
  const [shares, setShares] = useState<readonly Listed[]>();
  useEffect(() => void api.listAllShares().then(setShares, () => {}), [token]);
  return (
    <div class="stack shares">
      {token === undefined ? (
        <NewShare
          hasPassword
          onMake={async (expiresAt, password) =>
            setToken((await api.createShare({ subjects: [...subjects], expiresAt, password })).token)
          }
        />
      ) : (
        <MadeShare url={`${location.origin}${base}/shared/${token}`} />
      )}
      {shares !== undefined && (
        <Shares
          shares={shares}
          onRevoked={({ id }) => setShares(shares.filter((share) => share.id !== id))}
        />
      )}
    </div>
  );
}
