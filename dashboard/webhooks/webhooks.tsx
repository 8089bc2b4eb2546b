import { useEffect, useState } from 'preact/hooks';
import { asksToAdd, base, go, withQuery } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { Ledger } from '../components/ledger.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { may } from '../data/session-state.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import { EditDialog, SecretDialog } from './dialogs.tsx';
import { t } from './texts.ts';
import { eventWords, hostOf, State, type Webhook } from './words.tsx';

/** Screen that lists webhooks. */
export function Webhooks() {
  const [webhooks, setWebhooks] = useState<readonly Webhook[]>();
  const [error, setError] = useState<unknown>();
  const setAdding = (isAdding: boolean) =>
    go(withQuery({ add: isAdding ? '' : null }), { replace: !isAdding });
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string }>();
  const maySee = may('webhooks:write');
  const read = () =>
    api.listWebhooks().then((all) => {
      setWebhooks(all);
      setError(undefined);
    }, setError);
  useEffect(() => {
    if (maySee) void read();
  }, [maySee]);
  const add = (
    <Button
      kind="primary"
      icon="plus"
      disabledReason={maySee ? undefined : t.webhooks.forbidden}
      onClick={() => setAdding(true)}
    >
      {t.webhooks.add}
    </Button>
  );
  return (
    <Page title={t.webhooks.title} about={t.webhooks.about} actions={add}>
      {!maySee ? (
        <p class="soft">{t.webhooks.forbidden}</p>
      ) : (
        <Loaded value={webhooks} error={error} failed={t.webhooks.failed} onRetry={read}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <Empty title={t.webhooks.none} hasPicture ways={add}>
                {t.webhooks.noneMore}
              </Empty>
            ) : (
              <Ledger
                columns={[
                  { name: t.webhooks.address },
                  { name: fieldTexts.fieldNames.events, class: 'wide' },
                  { name: t.webhooks.state },
                ]}
              >
                {webhooks.map((webhook) => (
                  <tr key={webhook.id}>
                    <td>
                      <a class="plain" href={`${base}/webhooks/${webhook.id}`}>
                        <b>{hostOf(webhook)}</b>
                      </a>
                      <span class="soft block cut" dir="auto">
                        {webhook.description ?? new URL(webhook.url).pathname}
                      </span>
                    </td>
                    <td class="wide">{eventWords(webhook.events)}</td>
                    <td>
                      <State webhook={webhook} />
                    </td>
                  </tr>
                ))}
              </Ledger>
            )
          }
        </Loaded>
      )}
      {asksToAdd() && (
        <EditDialog
          onDone={({ id }, secret = '') => {
            setAdding(false);
            setCreated({ id, secret });
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {created !== undefined && (
        <SecretDialog secret={created.secret} onClose={() => go(`${base}/webhooks/${created.id}`)} />
      )}
    </Page>
  );
}
