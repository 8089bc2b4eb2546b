import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { MomentField } from '../components/moment-field.tsx';
import { Slip } from '../components/pieces.tsx';
import { api } from '../data/client.ts';
import { domains } from '../data/domains.ts';
import { explain } from '../data/explain.ts';
import { tell } from '../data/undo.ts';
import { type Bounds, BoundsFields } from '../fields/bounds.tsx';
import { t } from './texts.ts';
import { actionName, type EventType, eventTypes, type Webhook } from './words.tsx';

interface EditProps {
  /** Undefined for a new one. */
  readonly subject?: Webhook | undefined;
  readonly onDone: (webhook: Webhook, secret?: string) => void;
  readonly onClose: () => void;
}

const kinds = Map.groupBy(eventTypes, (type) => type.split('.')[0] ?? '');

/** Where events go, which, and of which links. */
export function EditDialog({ subject, onDone, onClose }: EditProps) {
  const [url, setUrl] = useState(subject?.url ?? '');
  const [events, setEvents] = useState<readonly EventType[]>(subject?.events ?? eventTypes.slice(0, 4));
  const [tags, setTags] = useState((subject?.tags ?? []).join(', '));
  const [description, setDescription] = useState(subject?.description ?? '');
  const [bounds, setBounds] = useState<Bounds>(() => ({
    domains: (domains.value ?? [])
      .filter(({ id }) => subject?.domainIds?.includes(id))
      .map(({ host }) => host),
    folders: subject?.folderIds ?? [],
  }));
  const [fault, setFault] = useState<{ readonly url?: string; readonly other?: string }>({});
  const [isBusy, setBusy] = useState(false);

  const save = async () => {
    const wrong =
      url.trim() === ''
        ? { url: t.webhooks.urlMissing }
        : events.length === 0
          ? { other: t.webhooks.eventsMissing }
          : {};
    setFault(wrong);
    if (Object.keys(wrong).length > 0 || isBusy) return;
    setBusy(true);
    const orNull = (list: readonly string[]) => (list.length === 0 ? null : [...list]);
    const names = tags.split(',').map((name) => name.trim());
    const ids = (domains.value ?? []).filter(({ host }) => bounds.domains.includes(host)).map(({ id }) => id);
    const settings = {
      url: url.trim(),
      events: [...events],
      description: description.trim() || null,
      tags: orNull(names.filter((name) => name !== '')),
      domainIds: orNull(ids),
      folderIds: orNull(bounds.folders),
    };
    try {
      if (subject !== undefined) onDone(await api.updateWebhook(subject.id, settings));
      else {
        const { secret, ...made } = await api.createWebhook(settings);
        onDone(made, secret);
      }
    } catch (error) {
      setFault({ other: explain(error) });
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={subject === undefined ? t.webhooks.add : t.webhooks.edit}
      width="32.5rem"
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <DialogFoot
          action={subject === undefined ? t.webhooks.make : t.webhooks.save}
          isBusy={isBusy}
          onAction={() => void save()}
          onCancel={onClose}
        />
      }
    >
      <div class="stack">
        <TextField
          label={t.webhooks.url}
          value={url}
          placeholder={t.webhooks.urlHint}
          onInput={(value) => {
            setUrl(value);
            setFault({});
          }}
          error={fault.url}
          input={{ autofocus: true, maxLength: 2_048, inputMode: 'url' }}
        />
        <fieldset class="plain-set">
          <legend>{t.webhooks.tells}</legend>
          <div class="hook-events">
            {[...kinds].map(([kind, types]) => (
              <div key={kind}>
                <span class="label soft">{t.webhooks.events[kind] ?? kind}</span>
                {types.map((type) => (
                  <label key={type} class="option">
                    <input
                      type="checkbox"
                      class="check"
                      checked={events.includes(type)}
                      onChange={(event) => {
                        const isOn = event.currentTarget.checked;
                        setEvents(eventTypes.filter((one) => (one === type ? isOn : events.includes(one))));
                        setFault({});
                      }}
                    />
                    <span>{actionName(type)}</span>
                  </label>
                ))}
              </div>
            ))}
          </div>
        </fieldset>
        <BoundsFields value={bounds} onChange={setBounds} />
        <TextField
          label={t.webhooks.tags}
          isOptional
          value={tags}
          onInput={setTags}
          help={t.webhooks.tagsHelp}
          input={{ dir: 'auto' }}
        />
        <TextField
          label={t.webhooks.description}
          isOptional
          value={description}
          onInput={setDescription}
          input={{ maxLength: 255, dir: 'auto' }}
        />
        {fault.other !== undefined && (
          <p class="fault" role="alert">
            {fault.other}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** The secret, on a slip: the only time that it can be seen. It closes with a click only when it was copied. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const [isTaken, setTaken] = useState(false);
  return (
    <Dialog
      title={t.webhooks.secretTitle}
      width="35rem"
      class="shown-key"
      onClose={isTaken ? onClose : undefined}
      foot={
        <Button kind={isTaken ? 'primary' : 'second'} onClick={onClose}>
          {t.webhooks.done}
        </Button>
      }
    >
      <p class="soft">{t.webhooks.secretHelp}</p>
      <Slip>
        <p class="mono key-text">{secret}</p>
        <div class="slip-tools">
          <CopyButton text={() => secret} rest={{ autofocus: true }} onCopied={() => setTaken(true)} />
        </div>
      </Slip>
    </Dialog>
  );
}

interface AskProps {
  readonly title: string;
  readonly help: string;
  readonly action: string;
  readonly isDanger?: boolean;
  readonly work: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is done. */
export function AskDialog({ title, help, action, isDanger = false, work, onClose }: AskProps) {
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const perform = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setFault(explain(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      width="29rem"
      onClose={onClose}
      onSubmit={() => void perform()}
      foot={
        <DialogFoot
          {...(isDanger && { kind: 'danger', keys: null })}
          action={action}
          isBusy={isBusy}
          onAction={() => void perform()}
          onCancel={onClose}
        />
      }
    >
      <p class="soft">{help}</p>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </Dialog>
  );
}

const dayMs = 86_400_000;

/** From when on what did not arrive is sent again. */
export function ReplayDialog({
  subject,
  onClose,
}: {
  readonly subject: Webhook;
  readonly onClose: () => void;
}) {
  const [since, setSince] = useState<string | null>(() => new Date(Date.now() - dayMs).toISOString());
  const [fault, setFault] = useState<string>();
  const replay = async () => {
    if (since === null) return;
    try {
      await api.replayWebhook(subject.id, { since });
      tell(t.webhooks.replayed);
      onClose();
    } catch (error) {
      setFault(explain(error));
    }
  };
  return (
    <Dialog
      title={t.webhooks.replayTitle}
      width="29rem"
      onClose={onClose}
      onSubmit={() => void replay()}
      foot={<DialogFoot action={t.webhooks.replay} onAction={() => void replay()} onCancel={onClose} />}
    >
      <div class="stack">
        <p class="soft">{t.webhooks.replayHelp}</p>
        <MomentField label={t.webhooks.since} value={since} onChange={setSince} error={fault} isFirst />
      </div>
    </Dialog>
  );
}
