import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type OpenShareResult, type SharedStatisticsResult } from '../../src/client/client.ts';
import { address } from '../browser/location.ts';
import { onSight } from '../browser/sight.ts';
import { Fault, useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { Icon, Mark } from '../components/icon.tsx';
import { Empty, Failure } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { shortHost } from '../data/links/links.ts';
import { Compare } from '../statistics/compare.tsx';
import { Statistics } from '../statistics/statistics.tsx';
import { dateAndTime, relative } from '../texts/format.ts';
import { brandStyle } from './brand-style.ts';
import { t } from './texts.ts';

type Shown = OpenShareResult & Pick<SharedStatisticsResult, 'link'>;

/** Public statistics page for a share. It needs no session, and reveals only the account's name and branding. */
export function SharedPage() {
  const token = decodeURIComponent(address.value.pathname.split('/').at(-1) ?? '');
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<unknown>();
  const [readAt, setReadAt] = useState(0);
  const [reading, setReading] = useState(0);
  /** Share token. Once the password is entered, this is the token that the server returned. */
  const current = useRef(token);
  const open = async (password?: string) => {
    const opened = await api.openShare(current.current, password === undefined ? {} : { password });
    current.current = opened.token;
    // Send the smallest query, because only the link is needed.
    const from = new Date().toISOString();
    const { link } = await api.sharedStatistics(opened.token, { from, timezone: 'UTC', interval: 'hour' });
    setError(undefined);
    setShown({ ...opened, link });
    setReadAt(Date.now());
    document.title = t.title(titleOf({ ...opened, link }));
  };
  const read = () => {
    open().catch(setError);
  };
  useEffect(() => {
    read();
    return onSight(read);
  }, [token]);
  // If a refresh fails, the previous statistics stay visible.
  const failure =
    shown === undefined || isGone(error) || hasCode(error, 'PASSWORD_REQUIRED') ? error : undefined;
  return (
    <main class="shared-page" id="content" style={brandStyle(shown?.branding?.accent ?? null)}>
      {failure !== undefined ? (
        hasCode(failure, 'PASSWORD_REQUIRED') ? (
          <PasswordForm onType={open} />
        ) : isGone(failure) ? (
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
              {shown.subjects.length > 1 ? (
                <Compare
                  subjects={shown.subjects.map(({ name }, place) => ({
                    name: name ?? t.shared.deleted,
                    subject: { kind: 'link', id: shown.token, isShared: true, place },
                  }))}
                  reading={reading}
                />
              ) : (
                <Statistics subject={{ kind: 'link', id: shown.token, isShared: true }} reading={reading} />
              )}
            </div>
          </>
        )
      )}
      {(shown ?? failure) !== undefined && (
        <footer class="shared-foot small soft">
          <Mark size={14} />
          <b>Linkfold</b>
          <span>{t.shared.about}</span>
        </footer>
      )}
    </main>
  );
}

function titleOf({ link, subjects }: Shown): string {
  if (link !== undefined) return link.title ?? t.shared.title(link.shortCode);
  return subjects.map(({ name }) => name ?? t.shared.deleted).join(' · ');
}

/** Form that asks for a share's password. */
function PasswordForm({ onType }: { readonly onType: (password: string) => Promise<void> }) {
  const [typed, setTyped] = useState('');
  const { isBusy, fault, ask } = useAsk();
  return (
    <form
      class="state-page"
      onSubmit={(event) => {
        event.preventDefault();
        void ask(() => onType(typed));
      }}
    >
      <h1>{t.shared.locked}</h1>
      <span class="input">
        <input
          type="password"
          autofocus
          aria-label={t.shared.password}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </span>
      <Fault text={fault} />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t.shared.show}
      </Button>
    </form>
  );
}

interface HeadProps {
  readonly shown: Shown;
  /** Time at which the statistics were loaded, in ms since the epoch. */
  readonly readAt: number;
  readonly onRead: () => void;
}

/** Header with the account, the link and the data's age. */
function Head({ shown, readAt, onRead }: HeadProps) {
  const { link, branding } = shown;
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
      {link === undefined ? <h1 dir="auto">{titleOf(shown)}</h1> : <LinkHead link={link} />}
    </header>
  );
}

function LinkHead({ link }: { readonly link: NonNullable<Shown['link']> }) {
  const { title, shortUrl, shortCode, destinationHost } = link;
  const short = (
    <>
      <span class="host">{shortHost(shortUrl)}</span>
      {shortCode}
    </>
  );
  return (
    <>
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
    </>
  );
}

const everyMs = 20_000;

/**
 * Button that shows the age of the data and refreshes it. In print, shows the time at which the data was loaded
 * instead.
 */
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

function hasCode(error: unknown, code: ApiError['code']): boolean {
  return error instanceof ApiError && error.code === code;
}

function isGone(error: unknown): boolean {
  return hasCode(error, 'SHARE_NOT_FOUND');
}
