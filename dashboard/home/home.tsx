import { useEffect, useState } from 'preact/hooks';
import { openDialog } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { StatusDot } from '../components/pieces.tsx';
import { ScreenSkeleton, SkeletonRows } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { onBack } from '../data/connection.ts';
import { type Link, listed, stateOf } from '../data/links/links.ts';
import { changes } from '../data/links/list.ts';
import { pageOf, referenceOf } from '../data/links/references.ts';
import { may, me } from '../data/session-state.ts';
import { writesWait } from '../data/writes.ts';
import { BeforeCode } from '../fields/destination.tsx';
import { Steps } from '../first/steps.tsx';
import { t as firstTexts } from '../first/texts.ts';
import { nearlyFull } from '../statistics/model/home.ts';
import { t as statisticsTexts } from '../statistics/texts.ts';
import { dateAndTime, number, percent, relative, weekdayDate } from '../texts/format.ts';
import { Failing, useFailingLinks } from './failing.tsx';
import { HomeStatistics } from './statistics.tsx';
import { t } from './texts.ts';

/** Home screen: today's activity and tasks that need attention. For an empty account, shows the first steps. */
export function Home() {
  const [isFirst, setFirst] = useFirstStart();
  useEffect(() => {
    document.title = t.title(t.places.home);
  }, []);
  if (isFirst === undefined) return <ScreenSkeleton />;
  if (!isFirst) return <Today />;
  return (
    <div class="first-home">
      <h1>{firstTexts.first.titleHome}</h1>
      <Steps onDone={() => setFirst(false)} />
    </div>
  );
}

/** Returns whether the account had neither links nor clicks when the page was opened. Undefined while unknown. */
function useFirstStart(): [boolean | undefined, (isFirst: boolean) => void] {
  const links = me.value?.usage.links;
  const hasBegun = () => links !== undefined && (links > 0 || !may('links:write'));
  // If the number of links is already loaded and is not 0, the account is not new. No request is needed in that case.
  const [isFirst, set] = useState<boolean | undefined>(() => (hasBegun() ? false : undefined));
  useEffect(() => {
    if (links === undefined || isFirst !== undefined) return;
    if (hasBegun()) return set(false);
    // Ask the API, because the first link may have just been created, and deleted links may have had clicks.
    Promise.all([api.listLinks({ limit: 1 }), api.listLinks({ status: 'deleted', limit: 1 })]).then(
      (found) => set(found.every(({ data }) => data.length === 0)),
      () => set(false),
    );
  }, [links]);
  return [isFirst, set];
}

/** Describes the most urgent task. */
function needsWords(needs: number, broken: number, soon: number): string {
  if (needs === 0) return t.home.nothing;
  if (broken > 0) return t.home.failing(broken);
  return soon > 0 ? t.home.soon(soon) : t.home.attention;
}

function Today() {
  const ending = useEndingLinks();
  const failing = useFailingLinks();
  const isWaiting = ending === undefined || failing === undefined;
  const limits = me.value?.limits;
  const usage = me.value?.usage;
  const quota = usage && limits && nearlyFull(usage.links, limits.links);
  const soon = ending?.length ?? 0;
  const broken = failing?.length ?? 0;
  const needs = broken + soon + (quota === undefined ? 0 : 1);
  return (
    <>
      <header class="page-head">
        <div>
          <div class="title">
            <h1>{weekdayDate(Date.now())}</h1>
          </div>
          <p class="about">{isWaiting ? ' ' : needsWords(needs, broken, soon)}</p>
        </div>
        <div class="actions">
          <Button
            kind="primary"
            icon="plus"
            keys="c"
            class="wide-only"
            disabledReason={writesWait()}
            onClick={() => openDialog('new')}
          >
            {t.act.newLink}
          </Button>
        </div>
      </header>
      <div class="home">
        <div class="home-main">
          {may('analytics:read') ? (
            <HomeStatistics ending={ending} />
          ) : (
            <p class="soft">{statisticsTexts.statistics.forbidden}</p>
          )}
        </div>
        <aside class="home-side">
          <section aria-labelledby="attention">
            <h2 id="attention" class="home-head">
              {t.home.attention}
              {needs > 0 && <span class="soft">{number(needs)}</span>}
            </h2>
            {isWaiting ? (
              <SkeletonRows count={8} />
            ) : (
              needs === 0 && <p class="soft small">{t.home.nothing}</p>
            )}
            {quota !== undefined && limits?.links !== null && limits !== undefined && usage !== undefined && (
              <div class="needs">
                <p>
                  <b>{t.places.links}</b>{' '}
                  <span class="warn-text">{t.of(number(usage.links), number(limits.links))}</span>
                </p>
                <p class="soft small">{percent(quota)}</p>
              </div>
            )}
            {!isWaiting && failing.map((link) => <Failing key={link.id} link={link} />)}
            {!isWaiting && ending.map((link) => <Ending key={link.id} link={link} />)}
          </section>
          {!isWaiting && <Account />}
        </aside>
      </div>
    </>
  );
}

/** Shows the number of links and folders in the account. */
function Account() {
  const usage = me.value?.usage;
  if (usage === undefined) return null;
  return (
    <section aria-labelledby="account">
      <h2 id="account" class="home-head">
        {t.home.account}
      </h2>
      <dl class="facts">
        <dt>{t.places.links}</dt>
        <dd>{number(usage.links)}</dd>
        <dt>{t.places.folders}</dt>
        <dd>{number(usage.folders)}</dd>
      </dl>
    </section>
  );
}

function Ending({ link }: { readonly link: Link }) {
  const { expiresAt } = link;
  if (expiresAt === null || expiresAt === undefined) return null;
  return (
    <div class="needs">
      <StatusDot state="soon" />
      <p>
        <a class="plain" href={pageOf(link)}>
          <BeforeCode shortUrl={link.shortUrl} />
          <b>{link.shortCode}</b>
        </a>{' '}
        <span class="warn-text">{t.home.expires(relative(expiresAt))}</span>
      </p>
      <p class="soft small">{t.home.thenExpired(dateAndTime(expiresAt))}</p>
      {may('links:write') && (
        <Button size="small" onClick={() => openDialog('edit', referenceOf(link))}>
          {t.home.extend}
        </Button>
      )}
    </div>
  );
}

const maxEndingLinks = 5;

/** Loads links that expire within two weeks, soonest first. Returns undefined while loading. */
function useEndingLinks(): readonly Link[] | undefined {
  const [links, setLinks] = useState<readonly Link[]>();
  const stamp = changes.value;
  useEffect(() => {
    const read = () =>
      api
        .listLinks({ sort: 'expiresAt', order: 'asc', status: 'active', limit: maxEndingLinks, ...listed() })
        .then(
          ({ data }) => setLinks(data.filter((link) => stateOf(link) === 'soon')),
          () => {}, // keep undefined, because an empty list would mean that nothing needs attention
        );
    void read();
    return onBack(() => void read());
  }, [stamp]);
  return links;
}
