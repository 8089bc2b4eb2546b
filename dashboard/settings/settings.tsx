import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ListSessionsResult } from '../../src/client/client.ts';
import { address, base } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { Check, Segmented } from '../components/choices.tsx';
import { Page } from '../components/page.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { may, me, serverVersion } from '../data/session-state.ts';
import { notify } from '../data/undo.ts';
import { scopeName } from '../keys/form.ts';
import { signOut } from '../sign-in/session.ts';
import { browserText } from '../texts/browsers.ts';
import { list, longDate, number, relative } from '../texts/format.ts';
import { useAccount } from './account.ts';
import { AppSchemes } from './app-schemes.tsx';
import { Branding } from './branding.tsx';
import { Destinations } from './destinations.tsx';
import { ExcludedNetworks } from './excluded-networks.tsx';
import { Identities } from './identities.tsx';
import { Passkeys } from './passkeys.tsx';
import { t } from './texts.ts';

export function Settings() {
  const { hash } = address.value;
  const account = useAccount();
  useEffect(() => document.getElementById(hash.slice(1))?.scrollIntoView(), [hash]);
  return (
    <Page title={t.settings.title}>
      <Look />
      <Account />
      <MovingIn />
      {may('webhooks:write') && <ToWebhooks />}
      {me.value?.isOperator && <ToOperator />}
      {/* Sections that load later grow, so they come last, where no content below can jump. */}
      <Passkeys />
      <Identities />
      <Sessions />
      {account !== undefined && <Destinations {...account} />}
      {account !== undefined && <ExcludedNetworks {...account} />}
      {account !== undefined && <AppSchemes {...account} />}
      {may('domains:write') && <Branding />}
      <About />
    </Page>
  );
}

function Setting({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="setting">
      <span class="name">{name}</span>
      <div>{children}</div>
    </div>
  );
}

function Look() {
  const { theme, density, language, letters } = preferences.value;
  const named = <V extends string>(names: Readonly<Record<V, string>>) =>
    (Object.entries(names) as [V, string][]).map(([value, label]) => ({ value, label }));
  return (
    <section id="look" class="settings-group">
      <h2>{t.settings.look}</h2>
      <Setting name={t.settings.theme}>
        <Segmented
          label={t.settings.theme}
          value={theme}
          options={named(t.settings.themes)}
          onChange={(value) => prefer({ theme: value })}
        />
      </Setting>
      <Setting name={t.settings.density}>
        <Segmented
          label={t.settings.density}
          value={density}
          options={named(t.settings.densities)}
          onChange={(value) => prefer({ density: value })}
        />
      </Setting>
      <Setting name={t.settings.language}>
        <Segmented
          label={t.settings.language}
          value={language ?? 'auto'}
          options={[
            { value: 'auto', label: t.settings.languageAuto },
            { value: 'en', label: 'English' },
            { value: 'de', label: 'Deutsch' },
          ]}
          onChange={(value) => {
            prefer({ language: value === 'auto' ? null : value });
            location.reload();
          }}
        />
      </Setting>
      <Setting name={t.places.shortcuts}>
        <Check isOn={letters} isSwitch onChange={(value) => prefer({ letters: value })}>
          {t.settings.letters}
        </Check>
        <p class="small soft">{t.settings.lettersHelp}</p>
      </Setting>
    </section>
  );
}

function Account() {
  const { value } = me;
  if (value === undefined) return null;
  const { account, plan, limits, usage, key, person, scopes } = value;
  const most = (limit: number | null) => (limit === null ? t.settings.noLimit : number(limit));
  const used = (count: number, limit: number | null) =>
    limit === null ? t.settings.ofNoLimit(number(count)) : t.of(number(count), number(limit));
  return (
    <section id="account" class="settings-group">
      <h2>{t.settings.account}</h2>
      <dl class="facts">
        <dt>{t.settings.name}</dt>
        <dd>{account}</dd>
        <dt>{t.settings.plan}</dt>
        <dd class="first-up">{plan}</dd>
        <dt>{t.places.links}</dt>
        <dd>{used(usage.links, limits.links)}</dd>
        <dt>{t.settings.foldersUsed}</dt>
        <dd>{used(usage.folders, limits.folders)}</dd>
        <dt>{t.settings.requests}</dt>
        <dd>{most(limits.requestsPerMinute)}</dd>
        {limits.linkLifetimeDays !== null && (
          <>
            <dt>{t.settings.lifetime}</dt>
            <dd>{t.settings.days(limits.linkLifetimeDays)}</dd>
          </>
        )}
        <dt>{person === null ? t.settings.key : t.settings.person}</dt>
        <dd>{person === null ? key.name : `${person.name} · ${t.roles[person.role]}`}</dd>
        <dt>{t.settings.rights}</dt>
        <dd>{list(scopes.map(scopeName))}</dd>
        <dt>{t.settings.keyExpires}</dt>
        <dd>{key.expiresAt === null ? t.never : longDate(key.expiresAt)}</dd>
      </dl>
    </section>
  );
}

function Sessions() {
  const [sessions, setSessions] = useState<ListSessionsResult>();
  const [error, setError] = useState<unknown>();
  const read = () => api.listSessions().then(setSessions, setError);
  useEffect(() => {
    void read();
  }, []);
  const end = async (id: string) => {
    try {
      await api.endSessionById(id);
      notify(t.sessions.ended);
    } catch (failure) {
      showFailure(failure);
    }
    await read();
  };
  return (
    <section id="sessions" class="settings-group">
      <h2>{t.sessions.title}</h2>
      <p class="small soft">{error === undefined ? t.sessions.about : t.sessions.failed}</p>
      <table class="ledger">
        <thead class="unseen">
          <tr>
            <th scope="col">{t.sessions.browser}</th>
            <th scope="col">{t.sessions.from}</th>
            <th scope="col">{t.sessions.lastSeen}</th>
            <th scope="col">{t.sessions.end}</th>
          </tr>
        </thead>
        <tbody>
          {(sessions ?? []).map((one) => (
            <tr key={one.id}>
              <td>
                <b>{one.agent ? browserText(one.agent) : t.sessions.unknown}</b>
              </td>
              <td class="soft">
                {one.isCurrent ? t.sessions.thisOne : (one.person?.name ?? t.sessions.fromKey(one.keyName))}
              </td>
              <td class="soft wide">{relative(one.lastSeenAt)}</td>
              <td>
                {one.isCurrent ? (
                  <Button kind="quiet" size="small" onClick={() => void signOut()}>
                    {t.sessions.signOut}
                  </Button>
                ) : (
                  <Button size="small" onClick={() => void end(one.id)}>
                    {t.sessions.end}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function MovingIn() {
  return (
    <section class="settings-group">
      <h2>{t.places.imports}</h2>
      <p class="small soft">{t.settings.imports}</p>
      <div>
        <Button icon="upload" href={`${base}/imports`}>
          {t.settings.toImports}
        </Button>
      </div>
    </section>
  );
}

function ToWebhooks() {
  return (
    <section class="settings-group">
      <h2>{t.places.webhooks}</h2>
      <p class="small soft">{t.settings.webhooks}</p>
      <div>
        <Button icon="external" href={`${base}/webhooks`}>
          {t.settings.toWebhooks}
        </Button>
      </div>
    </section>
  );
}

function ToOperator() {
  return (
    <section class="settings-group">
      <h2>{t.settings.operator}</h2>
      <p class="small soft">{t.settings.operatorHelp}</p>
      <div>
        <Button icon="settings" href={`${base}/operator`}>
          {t.settings.allAccounts}
        </Button>
      </div>
    </section>
  );
}

function About() {
  return (
    <section id="about" class="settings-group">
      <h2>{t.settings.about}</h2>
      <dl class="facts">
        <dt>{t.settings.version}</dt>
        <dd>{serverVersion.value}</dd>
        <dt>{t.settings.api}</dt>
        <dd>
          <a href="/api/v1/docs" target="_blank" rel="noreferrer">
            /api/v1/docs
          </a>
        </dd>
      </dl>
      <p class="small soft">
        <a href="https://db-ip.com" target="_blank" rel="noreferrer">
          {t.settings.attribution}
        </a>
      </p>
    </section>
  );
}
