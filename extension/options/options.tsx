import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Mark } from '../../dashboard/components/icon.tsx';
import type { MeResult } from '../../src/client/client.ts';
import { startPage, t } from '../browser/texts.ts';
import { type Fault, faultOf } from '../data/faults.ts';
import {
  clientFor,
  forgetServer,
  isHostAllowed,
  keepServer,
  newKeyAddress,
  readServer,
  requestHostAccess,
  type Server,
  scopes,
  serverUrl,
} from '../data/server.ts';
import { FaultNote } from '../parts/fault.tsx';
import { Field } from '../parts/field.tsx';
import { Golinks } from './golinks.tsx';

type Known = { readonly server: Server; readonly me?: MeResult; readonly fault?: Fault };

async function knownOf(server: Server): Promise<Known> {
  try {
    const me = await clientFor(server).me();
    const lacks = scopes.filter((scope) => !me.scopes.includes(scope));
    return lacks.length === 0 ? { server, me } : { server, me, fault: { text: t('keyLacks', server.url) } };
  } catch (error) {
    return { server, fault: faultOf(error, server.url) };
  }
}

function Options() {
  const [known, setKnown] = useState<Known | 'none'>();
  useEffect(() => {
    void readServer().then(async (server) => setKnown(server === undefined ? 'none' : await knownOf(server)));
  }, []);
  if (known === undefined) return null;
  return (
    <main>
      <header>
        <Mark size={24} />
        <h1>{t('optionsTitle')}</h1>
      </header>
      {known === 'none' ? (
        <Connect onConnected={setKnown} />
      ) : (
        <Connected known={known} onForgotten={() => setKnown('none')} />
      )}
      <Golinks key={known === 'none' ? '' : known.server.url} />
      <p class="soft small">{t('privacy')}</p>
    </main>
  );
}

function Connect({ onConnected }: { readonly onConnected: (known: Known) => void }) {
  const [typed, setTyped] = useState('');
  const [key, setKey] = useState('');
  const [fault, setFault] = useState<Fault>();
  const url = serverUrl(typed);
  const connect = async () => {
    if (url === undefined) return setFault({ text: t('badServer'), field: 'server' });
    if (key.trim() === '') return setFault({ text: t('noKey'), field: 'key' });
    // Request access first, because browsers show this permission request only in a click handler.
    if (!(await requestHostAccess(url))) return setFault({ text: t('noAccess', new URL(url).host) });
    const known = await knownOf({ url, key: key.trim() });
    if (known.fault !== undefined) return setFault(known.fault);
    await keepServer(known.server);
    onConnected(known);
  };
  const faultAt = (field: string) => (fault?.field === field ? fault.text : undefined);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        setFault(undefined);
        void connect();
      }}
    >
      <Field
        label={t('server')}
        value={typed}
        onInput={setTyped}
        help={t('serverHelp')}
        error={faultAt('server')}
        isFirst
      />
      <Field
        label={t('key')}
        isSecret
        value={key}
        onInput={setKey}
        error={faultAt('key')}
        help={
          url === undefined ? (
            t('keyHelp')
          ) : (
            <a href={newKeyAddress(url, t('keyName'))} target="_blank" rel="noreferrer">
              {t('makeKey', new URL(url).host)}
            </a>
          )
        }
      />
      {fault !== undefined && fault.field === undefined && <FaultNote fault={fault} />}
      <div>
        <button type="submit" class="button primary">
          {t('connectNow')}
        </button>
      </div>
    </form>
  );
}

interface ConnectedProps {
  readonly known: Known;
  readonly onForgotten: () => void;
}

function Connected({ known: { server, me, fault }, onForgotten }: ConnectedProps) {
  const [isReachable, setReachable] = useState(true);
  useEffect(() => void isHostAllowed(server.url).then(setReachable), []);
  const facts: (readonly [string, string])[] = [[t('server'), server.url]];
  if (me !== undefined)
    facts.push(
      [t('account'), me.account],
      [t('keyNamed'), me.key.name],
      [t('mayDo'), me.scopes.join(', ')],
      [
        t('ends'),
        me.key.expiresAt === null
          ? t('never')
          : new Date(me.key.expiresAt).toLocaleDateString(chrome.i18n.getUILanguage(), { dateStyle: 'long' }),
      ],
    );
  return (
    <div class="stack">
      <dl class="facts">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </>
        ))}
      </dl>
      {isReachable ? (
        <FaultNote fault={fault} />
      ) : (
        <button
          type="button"
          class="button second"
          onClick={() => void requestHostAccess(server.url).then(() => location.reload())}
        >
          {t('allow')}
        </button>
      )}
      {fault === undefined && isReachable && <p role="status">{t('ready')}</p>}
      <div>
        <button
          type="button"
          class="button danger"
          onClick={() => void forgetServer(server).then(onForgotten)}
        >
          {t('forget')}
        </button>
      </div>
    </div>
  );
}

startPage('optionsTitle');
render(<Options />, document.body);
