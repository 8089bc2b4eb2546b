import { useEffect, useState } from 'preact/hooks';
import { ApiError, type SharedStatisticsResult } from '../../src/client/client.ts';
import { address } from '../browser/location.ts';
import { onSight } from '../browser/sight.ts';
import { Button } from '../components/button.tsx';
import { Icon, Mark } from '../components/icon.tsx';
import { Empty, Failure } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { shortHost } from '../data/links/links.ts';
import { Statistics } from '../statistics/statistics.tsx';
import { dateAndTime, relative } from '../texts/format.ts';
import { brandStyle } from './brand-style.ts';
import { t } from './texts.ts';

type Shown = Required<Pick<SharedStatisticsResult, 'link'>> & Pick<SharedStatisticsResult, 'branding'>;

/**
 * The statistics of one link for a reader without a session: what its share gives, in the colours of the account, and nothing
 * else of it.
 */
export function SharedPage() {
  const token = decodeURIComponent(address.value.pathname.split('/').at(-1) ?? '');
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<unknown>();
  const [readAt, setReadAt] = useState(0);
  const [reading, setReading] = useState(0);
  const read = () => {
    // The least that can be asked: it tells whose statistics they are, and whether they are shared still.
    const from = new Date().toISOString();
    const asked = { from, timezone: 'UTC', interval: 'hour', include: ['branding'] } as const;
    api.sharedStatistics(token, asked).then((answer) => {
      setError(undefined);
      setShown(answer);
      setReadAt(Date.now());
      document.title = t.title(answer.link.title ?? t.shared.title(answer.link.shortCode));
    }, setError);
  };
  useEffect(() => {
    read();
    return onSight(read);
  }, [token]);
  // A failure of a repetition leaves the figures where they are.
  const failure = shown === undefined || isGone(error) ? error : undefined;
  return (
    <main class="shared-page" id="content" style={brandStyle(shown?.branding?.accent ?? null)}>
      {failure !== undefined ? (
        isGone(failure) ? (
          <>
            <h1 class="unseen">Linkfold</h1>
            <Empty title={t.shared.gone}>{t.shared.goneMore}</Empty>
          </>
        ) : (
          <Failure isScreen title={t.shared.failed} error={failure} onRetry={read} />
        )
      ) : (
        shown !== undefined && (
          <>
            <Head
              shown={shown}
              readAt={readAt}
              onRead={() => {
                read();
                setReading((times) => times + 1);
              }}
            />
            <div class="page">
              <Statistics subject={{ kind: 'link', id: token, isShared: true }} reading={reading} />
            </div>
          </>
        )
      )}
      <footer class="shared-foot small soft">
        <Mark size={14} />
        <b>Linkfold</b>
        <span>{t.shared.about}</span>
      </footer>
    </main>
  );
}

interface HeadProps {
  readonly shown: Shown;
  /** When the figures were read, ms since the epoch. */
  readonly readAt: number;
  readonly onRead: () => void;
}

/** Whose statistics these are, of which link, and of when. */
function Head({ shown: { link, branding }, readAt, onRead }: HeadProps) {
  const { title, shortUrl, shortCode, destinationHost } = link;
  const short = (
    <>
      <span class="host">{shortHost(shortUrl)}</span>
      {shortCode}
    </>
  );
  return (
    <header class="shared-head">
      <div class="shared-brand">
        {branding?.logo ? (
          <img src={branding.logo} alt={branding.name ?? ''} />
        ) : (
          branding?.name && <b dir="auto">{branding.name}</b>
        )}
        <Updated readAt={readAt} onRead={onRead} />
      </div>
      <h1 dir="auto">{title ?? short}</h1>
      <p class="soft">
        {title !== null && (
          <a class="shared-address" href={shortUrl} rel="noreferrer">
            {short}
          </a>
        )}
        <span class="shared-to">
          <Icon name="fold" size={14} /> {t.shared.to(destinationHost)}
        </span>
      </p>
    </header>
  );
}

const everyMs = 20_000;

/** How old the figures are; pressed, they are read again. On paper it is the moment that they are of. */
function Updated({ readAt, onRead }: { readonly readAt: number; readonly onRead: () => void }) {
  const [now, setNow] = useState(readAt);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [readAt]);
  return (
    <>
      <Button kind="quiet" size="small" icon="refresh" onClick={onRead} rest={{ title: t.shared.readAgain }}>
        {t.shared.updated(relative(readAt, Math.max(now, readAt)))}
      </Button>
      <span class="on-paper small soft">{dateAndTime(readAt)}</span>
    </>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'SHARE_NOT_FOUND';
}
