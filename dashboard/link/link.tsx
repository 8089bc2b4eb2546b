import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { ApiError } from '../../src/client/client.ts';
import { base, dialogAddress, go, openDialog } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { onSight } from '../browser/sight.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Icon } from '../components/icon.tsx';
import { lazy } from '../components/lazy.tsx';
import { MenuButton } from '../components/menu.tsx';
import { Empty, Failure, ScreenSkeleton } from '../components/states.tsx';
import { onBack } from '../data/connection.ts';
import { hasSeveral } from '../data/domains.ts';
import { isAfterGap, onEvent } from '../data/events.ts';
import { folderName } from '../data/groups.ts';
import { archiveLinks, copyLink, deleteLinks } from '../data/links/changes.ts';
import { codeIn, findLink } from '../data/links/find.ts';
import { type FullLink, shortHost } from '../data/links/links.ts';
import { changes } from '../data/links/list.ts';
import { referenceOf } from '../data/links/references.ts';
import { withUtm } from '../data/links/utm.ts';
import { writesWait } from '../data/writes.ts';
import { DestinationText } from '../fields/destination.tsx';
import { Managed } from '../fields/managed.tsx';
import { Facts, LinkCard, LinkRules } from './facts.tsx';
import { DestinationInPlace, TitleInPlace } from './in-place.tsx';
import { switchLink } from './switch.ts';
import { t } from './texts.ts';
import { Why } from './why.tsx';

const Statistics = lazy(() => import('../statistics/page.tsx').then((module) => module.StatisticsPage));
const History = lazy(() => import('../history/history.tsx').then((module) => module.History));

/** Page for a link, with inline-editable details, statistics and change history. */
export function LinkPage() {
  const { params } = useRoute();
  const reference = params['code'] ?? '';
  const id = useRef<string>(undefined);
  const [link, setLink] = useState<FullLink>();
  const [error, setError] = useState<unknown>();
  const stamp = changes.value;

  useEffect(() => {
    document.title = t.title(`/${codeIn(reference)}`);
    const read = () =>
      findLink(reference).then((found) => {
        id.current = found.id;
        document.title = t.title(`/${found.shortCode}`);
        setLink(found);
        setError(undefined);
      }, setError);
    void read();
    const ends = [
      onBack(() => void read()),
      onSight(() => void read()),
      onEvent((event) => {
        const isOfLink = isAfterGap(event) || ('linkId' in event && event.linkId === id.current);
        if (isOfLink && event.type !== 'click') void read();
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [reference, stamp]);

  if (error instanceof ApiError && error.code === 'LINK_NOT_FOUND')
    return (
      <Empty
        isScreen
        title={t.link.none}
        ways={
          <>
            <Button kind="primary" href={`${base}/links`}>
              {t.places.toLinks}
            </Button>
            <Button href={`${base}/bin`}>{t.link.toBin}</Button>
          </>
        }
      >
        {t.link.noneMore}
      </Empty>
    );
  if (link === undefined)
    return error === undefined ? (
      <ScreenSkeleton />
    ) : (
      <Failure isScreen title={t.linkFailed} error={error} onRetry={() => setError(undefined)} />
    );
  return (
    <>
      <Head link={link} />

      <Statistics subject={{ kind: 'link', id: link.id }} />
      <History link={link} />
    </>
  );
}

function Head({ link }: { readonly link: FullLink }) {
  const [editing, setEditing] = useState<'title' | 'destination'>();
  const reference = referenceOf(link);
  const why = writesWait();
  const remove = () => {
    go(`${base}/links`);
    void deleteLinks([link]);
  };
  const archive = () => void archiveLinks([link], !link.archived);
  useShortcuts({
    y: () => void copyLink(link),
    e: () => openDialog('edit', reference),
    q: () => openDialog('qr', reference),
    backspace: () => (why === undefined ? remove() : false),
  });
  return (
    <header class="link-head">
      <Crumbs folderId={link.folderId} />
      <div class="link-top">
        <div class="link-name">
          <h1>
            <span class="host">{shortHost(link.shortUrl)}</span>
            <span class="code">{link.shortCode}</span>
          </h1>
          <CopyButton size="small" keys="y" text={() => link.shortUrl} />
        </div>
        <div class="actions">
          <Button icon="qr" href={dialogAddress('qr', reference)}>
            {t.act.qr}
          </Button>
          <Button icon="share" href={dialogAddress('share', reference)}>
            {t.link.share}
          </Button>
          <Button icon="pencil" keys="e" disabledReason={why} onClick={() => openDialog('edit', reference)}>
            {t.act.edit}
          </Button>
          <LinkMenu link={link} why={why} onArchive={archive} onRemove={remove} />
        </div>
      </div>
      {editing === 'title' ? (
        <TitleInPlace link={link} onDone={() => setEditing(undefined)} />
      ) : (
        <p class="link-title" dir="auto">
          <button
            type="button"
            class={`in-place ${link.title ? '' : 'soft'}`}
            title={t.link.editTitle}
            disabled={why !== undefined}
            onClick={() => setEditing('title')}
          >
            {link.title || t.link.addTitle}
          </button>
        </p>
      )}
      {editing === 'destination' ? (
        <DestinationInPlace link={link} onDone={() => setEditing(undefined)} />
      ) : (
        <p class="link-target">
          <Icon name="fold" />
          <Destination link={link} />
          <Button
            kind="quiet"
            size="small"
            icon="pencil"
            label={t.link.editDestination}
            disabledReason={why}
            onClick={() => setEditing('destination')}
          />
        </p>
      )}
      {link.description && (
        <p class="note soft" dir="auto">
          {link.description}
        </p>
      )}
      <Managed links={[link]} />
      <Facts
        link={link}
        onSwitch={why === undefined ? () => void switchLink(link) : undefined}
        onUnarchive={why === undefined ? archive : undefined}
      />
      <Why link={link} />
      <LinkRules link={link} />
      <LinkCard link={link} />
    </header>
  );
}

function Crumbs({ folderId }: Pick<FullLink, 'folderId'>) {
  const folder = folderName(folderId);
  return (
    <nav class="crumbs small" aria-label={t.link.back}>
      <a class="plain" href={`${base}/links`}>
        <Icon name="back" size={14} />
        {t.link.back}
      </a>
      {folder !== undefined && (
        <>
          <span aria-hidden="true">/</span>
          <a class="plain cut" dir="auto" href={`${base}/links?folder=${folderId}`}>
            {folder}
          </a>
        </>
      )}
    </nav>
  );
}

interface LinkMenuProps {
  readonly link: FullLink;
  /** Why changes are disabled. Undefined if changes are enabled. */
  readonly why: string | undefined;
  readonly onArchive: () => void;
  readonly onRemove: () => void;
}

function LinkMenu({ link, why, onArchive, onRemove }: LinkMenuProps) {
  const duplicate = () =>
    openDialog('new', '', {
      url: withUtm(link.destinationUrl, link.utm).join(''),
      title: link.title ?? '',
      ...(hasSeveral.value && { domain: new URL(link.shortUrl).hostname }),
    });
  return (
    <MenuButton
      icon="more"
      label={t.more}
      menuLabel={t.more}
      align="end"
      items={() => [
        { label: t.act.openShort, icon: 'external', onSelect: () => openElsewhere(link.shortUrl) },
        {
          label: t.link.openDestination,
          icon: 'external',
          onSelect: () => openElsewhere(link.destinationUrl),
        },
        { label: t.link.duplicate, icon: 'copy', onSelect: duplicate },
        { label: t.places.compare, icon: 'chart', href: `${base}/compare?of=link:${link.id}` },
        { label: t.link.history, icon: 'clock', href: '#history' },
        { label: t.codes.button, icon: 'link', onSelect: () => openDialog('codes', referenceOf(link)) },
        {
          label: link.disabled ? t.link.switchOn : t.link.switchOff,
          icon: 'power',
          disabledReason: why,
          onSelect: () => void switchLink(link),
        },
        {
          label: link.archived ? t.act.unarchive : t.act.archive,
          icon: 'archive',
          disabledReason: why,
          onSelect: onArchive,
        },
        undefined,
        { label: t.act.delete, icon: 'bin', keys: 'backspace', disabledReason: why, onSelect: onRemove },
      ]}
    />
  );
}

function openElsewhere(url: string): void {
  window.open(url, '_blank', 'noreferrer');
}

/** Shows a destination with its host emphasized, because users check the host before they click. */
function Destination({ link: { destinationUrl, template } }: { readonly link: FullLink }) {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/is.exec(destinationUrl) ?? [];
  return (
    <span class="cut" title={destinationUrl}>
      {scheme}
      <span class="ink">
        <DestinationText text={host} isTemplate={template} />
      </span>
      <DestinationText text={rest} isTemplate={template} />
    </span>
  );
}
