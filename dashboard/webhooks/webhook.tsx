import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { base, go } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { MenuButton } from '../components/menu.tsx';
import { Empty, Failure } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { tellFailure } from '../data/explain.ts';
import { tell } from '../data/undo.ts';
import { Deliveries } from './deliveries.tsx';
import { AskDialog, EditDialog, ReplayDialog, SecretDialog } from './dialogs.tsx';
import { t } from './texts.ts';
import { eventWords, hostOf, State, type Webhook } from './words.tsx';

/** One address: what it is told of, what it was told, and what it answered. */
export function WebhookPage() {
  const id = useRoute().params['id'] ?? '';
  const [webhook, setWebhook] = useState<Webhook>();
  const [error, setError] = useState<unknown>();
  const read = () =>
    api.getWebhook(id).then((found) => {
      setWebhook(found);
      setError(undefined);
    }, setError);
  useEffect(() => {
    void read();
  }, [id]);
  const title = webhook === undefined ? t.webhooks.title : hostOf(webhook);
  useEffect(() => {
    document.title = t.title(title);
  }, [title]);
  if (webhook !== undefined) return <Whole key={id} webhook={webhook} onChange={setWebhook} onLook={read} />;
  if (error === undefined) return null;
  const isGone = (error as { readonly code?: string }).code === 'WEBHOOK_NOT_FOUND';
  if (!isGone) return <Failure title={t.webhooks.failed} error={error} onRetry={() => void read()} />;
  return (
    <Empty
      isScreen
      title={t.webhooks.notFound}
      ways={
        <Button kind="primary" href={`${base}/webhooks`}>
          {t.webhooks.title}
        </Button>
      }
    />
  );
}

interface WholeProps {
  readonly webhook: Webhook;
  readonly onChange: (webhook: Webhook) => void;
  readonly onLook: () => Promise<void>;
}

type Open = 'edit' | 'rotate' | 'remove' | 'replay' | { readonly secret: string };

function Whole({ webhook, onChange, onLook }: WholeProps) {
  const [open, setOpen] = useState<Open>();
  const [looks, setLooks] = useState(0);
  const { id, disabled } = webhook;
  const host = hostOf(webhook);
  const close = () => setOpen(undefined);
  const look = () => {
    setLooks((before) => before + 1);
    void onLook();
  };
  const act = (work: () => Promise<unknown>) => void work().then(look, tellFailure);
  const test = async () => {
    await api.testWebhook(id);
    tell(t.webhooks.testSent);
  };
  return (
    <>
      <header class="link-head">
        <nav class="crumbs small" aria-label={t.webhooks.title}>
          <a class="plain" href={`${base}/webhooks`}>
            <Icon name="back" size={14} />
            {t.webhooks.title}
          </a>
        </nav>
        <div class="link-top">
          <div class="link-name">
            <h1>{host}</h1>
          </div>
          <div class="actions">
            <Button
              icon="terminal"
              disabledReason={disabled ? t.webhooks.states.owner : undefined}
              onClick={() => act(test)}
            >
              {t.webhooks.test}
            </Button>
            <Button icon="pencil" onClick={() => setOpen('edit')}>
              {t.webhooks.edit}
            </Button>
            <MenuButton
              kind="quiet"
              icon="more"
              align="end"
              label={t.moreFor(host)}
              menuLabel={t.moreFor(host)}
              items={() => [
                { label: t.webhooks.rotate, icon: 'refresh', onSelect: () => setOpen('rotate') },
                {
                  label: disabled ? t.webhooks.switchOn : t.webhooks.switchOff,
                  icon: 'power',
                  onSelect: () => act(() => api.updateWebhook(id, { disabled: !disabled })),
                },
                undefined,
                { label: t.webhooks.remove, icon: 'bin', isDanger: true, onSelect: () => setOpen('remove') },
              ]}
            />
          </div>
        </div>
      </header>
      <div class="page hook">
        <dl class="facts">
          <dt>{t.webhooks.url}</dt>
          <dd class="mono">{webhook.url}</dd>
          <dt>{t.webhooks.tells}</dt>
          <dd>{eventWords(webhook.events)}</dd>
          <dt>{t.webhooks.state}</dt>
          <dd>
            <State webhook={webhook} />
          </dd>
          {webhook.description !== null && (
            <>
              <dt>{t.webhooks.description}</dt>
              <dd dir="auto">{webhook.description}</dd>
            </>
          )}
        </dl>
        <Deliveries
          webhook={webhook}
          looks={looks}
          onSettled={() => void onLook()}
          onReplay={() => setOpen('replay')}
        />
      </div>
      {open === 'edit' && (
        <EditDialog
          subject={webhook}
          onDone={(changed) => {
            onChange(changed);
            tell(t.webhooks.saved);
            close();
          }}
          onClose={close}
        />
      )}
      {open === 'replay' && (
        <ReplayDialog
          subject={webhook}
          onClose={() => {
            close();
            look();
          }}
        />
      )}
      {open === 'rotate' && (
        <AskDialog
          title={t.webhooks.rotateTitle}
          help={t.webhooks.rotateHelp}
          action={t.webhooks.rotate}
          work={async () => setOpen({ secret: (await api.rotateWebhook(id)).secret })}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <AskDialog
          isDanger
          title={t.webhooks.removeTitle(host)}
          help={t.webhooks.removeHelp}
          action={t.webhooks.remove}
          work={async () => {
            await api.deleteWebhook(id);
            tell(t.webhooks.removed);
            go(`${base}/webhooks`);
          }}
          onClose={close}
        />
      )}
      {typeof open === 'object' && <SecretDialog secret={open.secret} onClose={close} />}
    </>
  );
}
