import { useEffect, useState } from 'preact/hooks';
import type {
  ListDomainsResult,
  ListedLink,
  ListFoldersResult,
  ShortenResult,
} from '../../src/client/client.ts';
import { t } from '../browser/texts.ts';
import { type Fault, faultOf } from '../data/faults.ts';
import { type Chosen, clientFor, keepChosen, readChosen, type Server } from '../data/server.ts';
import { FaultNote } from '../parts/fault.tsx';
import { Field } from '../parts/field.tsx';
import { Made } from './created.tsx';
import { hostOf, Place } from './place.tsx';
import { Recent } from './recent.tsx';

/** Number of recent links that fit into the popup's maximum height of 600 px. */
const mostRecent = 3;

/** Server data loaded before a link is created. */
export interface There {
  readonly domains: ListDomainsResult;
  readonly folders: ListFoldersResult;
  readonly links: readonly ListedLink[];
}

async function lookUp(server: Server): Promise<There> {
  const client = clientFor(server);
  const [domains, folders, { data: links }] = await Promise.all([
    client.listDomains(),
    client.listFolders(),
    client.listLinks({ limit: mostRecent, include: ['title', 'template'] }),
  ]);
  return { domains: domains.filter(({ status }) => status === 'active'), folders, links };
}

/** Returns the current tab's URL and title. Both are empty unless the tab shows a web page. */
async function thisPage(): Promise<{ url: string; title: string }> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  const isOnWeb = /^https?:/.test(tab?.url ?? '');
  return { url: isOnWeb ? (tab?.url ?? '') : '', title: isOnWeb ? (tab?.title ?? '').slice(0, 255) : '' };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form with one request: its input, errors and result
export function Shorten({ server }: { readonly server: Server }) {
  const [page, setPage] = useState<{ readonly url: string; readonly title: string }>();
  const [code, setCode] = useState('');
  const [chosen, setChosen] = useState<Chosen>({});
  const [there, setThere] = useState<There>();
  const [link, setLink] = useState<ShortenResult>();
  const [isCopied, setCopied] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const check = () => lookUp(server).then(setThere, (error) => setFault(faultOf(error, server.url)));
  useEffect(() => {
    void thisPage().then(setPage);
    void readChosen().then(setChosen);
    void check();
  }, []);
  if (page === undefined) return null;

  const host = hostOf(there, chosen);
  const folderId = there?.folders.find(({ id }) => id === chosen.folder)?.id;
  const make = async () => {
    if (isBusy) return;
    if (page.url.trim() === '') return setFault({ text: t('noUrl'), field: 'url' });
    setBusy(true);
    setFault(undefined);
    try {
      const link = await clientFor(server).shorten({
        url: page.url.trim(),
        ...(page.title.trim() !== '' && { title: page.title.trim() }),
        ...(code.trim() !== '' && { customCode: code.trim() }),
        ...(host !== undefined && { domain: host }),
        ...(folderId !== undefined && { folderId }),
      });
      // Browsers may block copying a few seconds after the click. The copy button still works.
      setCopied(
        await navigator.clipboard.writeText(link.shortUrl).then(
          () => true,
          () => false,
        ),
      );
      setLink(link);
      await keepChosen(chosen);
    } catch (error) {
      setFault(faultOf(error, server.url));
    } finally {
      setBusy(false);
    }
  };
  if (link !== undefined) return <Made link={link} isCopied={isCopied} />;

  const faultAt = (field: string) => (fault?.field === field ? fault.text : undefined);
  const isOfField = ['url', 'customCode', 'title'].includes(fault?.field ?? '');
  return (
    <>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Field
          label={t('page')}
          value={page.url}
          onInput={(url) => setPage({ ...page, url })}
          error={faultAt('url')}
          isFirst={page.url === ''}
        />
        <Field
          label={t('title')}
          aside={t('optional')}
          value={page.title}
          onInput={(title) => setPage({ ...page, title })}
          error={faultAt('title')}
        />
        <Place there={there} chosen={chosen} onChoose={setChosen} />
        <Field
          label={t('code')}
          aside={t('optional')}
          prefix="/"
          value={code}
          onInput={(value) => {
            setCode(value);
            if (fault?.field === 'customCode') setFault(undefined);
          }}
          error={faultAt('customCode')}
          isFirst={page.url !== ''}
        />
        {!isOfField && <FaultNote fault={fault} />}
        <button type="submit" class="button primary" aria-busy={isBusy}>
          {t('shorten')}
        </button>
      </form>
      <Recent links={there?.links ?? []} />
    </>
  );
}
