import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { base, go } from '../browser/location.ts';
import { AskDialog } from '../components/ask-dialog.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { MenuButton } from '../components/menu.tsx';
import { Empty, Failure, ScreenSkeleton } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { notify } from '../data/undo.ts';
import { typedOf } from '../fields/plain.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import { Deliveries } from './deliveries.tsx';
import { EditDialog, ReplayDialog, SecretDialog } from './dialogs.tsx';
import { plainSettings } from './settings.ts';
import { t } from './texts.ts';
import { eventWords, hostOf, State, type Webhook } from './words.tsx';

/** Page for a webhook with its subscribed events, deliveries and responses. */
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
  if (webhook !== undefined) return <Whole key={id} webhook={webhook} onChange={setWebhook} onRead={read} />;
  if (error === undefined) return <ScreenSkeleton />;
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
  readonly onRead: () => Promise<void>;
}

type Open = 'edit' | 'rotate' | 'remove' | 'replay' | { readonly secret: string };

function Whole({ webhook, onChange, onRead }: WholeProps) {
  const [open, setOpen] = useState<Open>();
  const [reloads, setReloads] = useState(0);
  const typed = typedOf(plainSettings, webhook);
  const refresh = () => {
    setReloads((before) => before + 1);
    void onRead();
  };
  return (
    <>
      <Head webhook={webhook} onOpen={setOpen} onRead={refresh} />
      <div class="page hook">
        <dl class="facts">
          <dt>{fieldTexts.fieldNames.url}</dt>
          <dd class="mono">{webhook.url}</dd>
          <dt>{fieldTexts.fieldNames.events}</dt>
          <dd>{eventWords(webhook.events)}</dd>
          <dt>{t.webhooks.state}</dt>
          <dd>
            <State webhook={webhook} />
          </dd>
          {plainSettings.map(
            ({ name }) =>
              typed[name] !== '' && (
                <Fragment key={name}>
                  <dt>{fieldTexts.fieldNames[name]}</dt>
                  <dd dir="auto">{typed[name]}</dd>
                </Fragment>
              ),
          )}
          {webhook.createdBy !== null && (
            <>
              <dt>{t.webhooks.createdBy}</dt>
              <dd dir="auto">{webhook.createdBy.name}</dd>
            </>
          )}
        </dl>
        <Deliveries
          webhook={webhook}
          reloads={reloads}
          onFinished={() => void onRead()}
          onReplay={() => setOpen('replay')}
        />
      </div>
      <OpenDialog webhook={webhook} open={open} onOpen={setOpen} onChange={onChange} onRead={refresh} />
    </>
  );
}

interface HeadProps {
  readonly webhook: Webhook;
  readonly onOpen: (open: Open | undefined) => void;
  /** Reloads the webhook's deliveries. */
  readonly onRead: () => void;
}

function Head({ webhook, onOpen, onRead }: HeadProps) {
  const { id, disabled } = webhook;
  const host = hostOf(webhook);
  const act = (work: () => Promise<unknown>) => void work().then(onRead, showFailure);
  const test = async () => {
    await api.testWebhook(id);
    notify(t.webhooks.testSent);
  };
  return (
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
          <Button icon="pencil" onClick={() => onOpen('edit')}>
            {t.webhooks.edit}
          </Button>
          <MenuButton
            kind="quiet"
            icon="more"
            align="end"
            label={t.moreFor(host)}
            menuLabel={t.moreFor(host)}
            items={() => [
              { label: t.webhooks.rotate, icon: 'refresh', onSelect: () => onOpen('rotate') },
              {
                label: disabled ? t.webhooks.switchOn : t.webhooks.switchOff,
                icon: 'power',
                onSelect: () => act(() => api.updateWebhook(id, { disabled: !disabled })),
              },
              undefined,
              { label: t.webhooks.remove, icon: 'bin', isDanger: true, onSelect: () => onOpen('remove') },
            ]}
          />
        </div>
      </div>
    </header>
  );
}

interface OpenProps extends HeadProps {
  readonly open: Open | undefined;
  readonly onChange: (webhook: Webhook) => void;
}

function OpenDialog({ webhook, open, onOpen, onChange, onRead }: OpenProps) {
  const close = () => onOpen(undefined);
  if (typeof open === 'object') return <SecretDialog secret={open.secret} onClose={close} />;
  switch (open) {
    case undefined:
      return null;
    case 'edit': {
      const done = (changed: Webhook) => {
        onChange(changed);
        notify(t.webhooks.saved);
        close();
      };
      return <EditDialog subject={webhook} onDone={done} onClose={close} />;
    }
    case 'replay': {
      const end = () => {
        close();
        onRead();
      };
      return <ReplayDialog subject={webhook} onClose={end} />;
    }
    case 'rotate': {
      const rotate = async () => onOpen({ secret: (await api.rotateWebhook(webhook.id)).secret });
      return (
        <AskDialog title={t.webhooks.rotateTitle} action={t.webhooks.rotate} onAct={rotate} onClose={close}>
          <p class="soft">{t.webhooks.rotateHelp}</p>
        </AskDialog>
      );
    }
    case 'remove': {
      const remove = async () => {
        await api.deleteWebhook(webhook.id);
        notify(t.webhooks.removed);
        go(`${base}/webhooks`);
      };
      return (
        <AskDialog
          isDanger
          title={t.webhooks.removeTitle(hostOf(webhook))}
          action={t.webhooks.remove}
          onAct={remove}
          onClose={close}
        >
          <p class="soft">{t.webhooks.removeHelp}</p>
        </AskDialog>
      );
    }
  }
}
