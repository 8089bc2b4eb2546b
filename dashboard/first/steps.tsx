import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { whileInSight } from '../browser/sight.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Icon } from '../components/icon.tsx';
import { Slip } from '../components/pieces.tsx';
import { api } from '../data/client.ts';
import { isAfterGap, isFollowing, onEvent } from '../data/events.ts';
import { shortHost } from '../data/links/links.ts';
import { changes } from '../data/links/list.ts';
import { type Made, MakeFirst } from './make-first.tsx';
import { t } from './texts.ts';

const steps = ['make', 'follow', 'count'] as const;
type Step = (typeof steps)[number];

/**
 * Steps for an account's first link: create the link, open it, see the click. Completed steps disappear.
 * @param onDone called when the user continues after the first click was counted
 */
export function Steps({ onDone }: { readonly onDone: () => void }) {
  const [link, setLink] = useState<Made>();
  const [isFollowed, setFollowed] = useState(false);
  const clicks = useClicks(link);
  useCreatedElsewhere(link === undefined, setLink);
  const current: Step = link === undefined ? 'make' : isFollowed || clicks > 0 ? 'count' : 'follow';
  return (
    <ol class="steps" aria-label={t.first.steps}>
      {steps.slice(steps.indexOf(current)).map((step) => (
        <li key={step} class={step === current ? 'current' : ''} aria-current={step === current && 'step'}>
          <span class="number" aria-hidden="true">
            {steps.indexOf(step) + 1}
          </span>
          <div>
            <h2>{t.first[step]}</h2>
            {step === current && (
              <>
                {step === 'make' && <MakeFirst onCreated={setLink} />}
                {step === 'follow' && link !== undefined && (
                  <Follow made={link} onFollow={() => setFollowed(true)} />
                )}
                {step === 'count' && (
                  <Count clicks={clicks} onDone={onDone}>
                    {link !== undefined && clicks === 0 && <OpenAgain made={link} />}
                  </Count>
                )}
              </>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Follow({ made, onFollow }: { readonly made: Made; readonly onFollow: () => void }) {
  const open = useRef<HTMLAnchorElement>(null);
  useEffect(() => open.current?.focus(), []);
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(made.shortUrl);
  return (
    <>
      <p class="soft">{t.first.followMore}</p>
      <Slip class="first-slip">
        <p class="big-link">
          <span class="soft">{shortHost(made.shortUrl)}</span>
          <b>{made.shortCode}</b>
        </p>
        <div class="slip-tools">
          <a
            class="button primary"
            href={made.shortUrl}
            target="_blank"
            rel="noreferrer"
            ref={open}
            onClick={onFollow}
          >
            <Icon name="external" />
            {t.first.open}
          </a>
          <CopyButton text={() => made.shortUrl} />
        </div>
      </Slip>
      {isLocal && (
        <p class="small warn-text">
          <Icon name="warning" /> {t.first.baseUrlLocal}
        </p>
      )}
    </>
  );
}

interface CountProps {
  readonly clicks: number;
  readonly onDone: () => void;
  readonly children: ComponentChildren;
}

function Count({ clicks, onDone, children }: CountProps) {
  return (
    <div role="status">
      {clicks === 0 ? (
        <p class="soft">
          {t.first.waiting} {children}
        </p>
      ) : (
        <>
          <p class="counted">
            <span class="figure">{t.clicks(clicks)}</span>
          </p>
          <p class="soft">{t.first.counted}</p>
          <Button kind="primary" icon="next" onClick={onDone}>
            {t.first.done}
          </Button>
        </>
      )}
    </div>
  );
}

function OpenAgain({ made }: { readonly made: Made }) {
  return (
    <a href={made.shortUrl} target="_blank" rel="noreferrer">
      {t.first.openAgain}
    </a>
  );
}

const everyMs = 2_000;

/** Returns the number of clicks on the first link. Refreshed by live events or by polling until there is a click. */
function useClicks(made: Made | undefined): number {
  const [clicks, setClicks] = useState(0);
  const isOn = made !== undefined && clicks === 0;
  useEffect(() => {
    if (!isOn) return undefined;
    const check = () => {
      api.getLink(made.id).then(
        (link) => setClicks(link.clicks),
        () => {}, // the next poll retries
      );
    };
    const endPolling = whileInSight(check, everyMs, () => !isFollowing.peek());
    const endEvents = onEvent((event) => {
      if (isAfterGap(event) || (event.type === 'click' && event.linkId === made.id)) check();
    }, false);
    // Check once now, because the link may have been opened before the subscription started.
    check();
    return () => {
      endPolling();
      endEvents();
    };
  }, [isOn]);
  return clicks;
}

/** Detects a link that was created in another way, such as with the builder. */
function useCreatedElsewhere(isOn: boolean, onCreated: (made: Made) => void): void {
  const stamp = changes.value;
  useEffect(() => {
    if (!isOn || stamp === 0) return;
    api.listLinks({ limit: 1 }).then(
      ({ data: [link] }) => link !== undefined && onCreated(link),
      () => {}, // the step stays as it is
    );
  }, [stamp]);
}
