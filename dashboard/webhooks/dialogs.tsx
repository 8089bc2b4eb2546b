import { useState } from 'preact/hooks';
import type { UpdateWebhookInput } from '../../src/client/client.ts';
import { Fault, useAsk } from '../components/ask.tsx';
import { ChoiceField } from '../components/choices.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { MomentField } from '../components/moment-field.tsx';
import { ShownOnce } from '../components/shown-once.tsx';
import { api } from '../data/client.ts';
import { domains } from '../data/domains.ts';
import { notify } from '../data/undo.ts';
import { sentOf, type Typed, typedOf } from '../fields/plain.ts';
import { PlainInput } from '../fields/plain-input.tsx';
import { RestrictionFields, type Restrictions } from '../fields/restrictions.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import { type PlainSetting, plainSettings } from './settings.ts';
import { t } from './texts.ts';
import { actionName, type EventType, eventTypes, type Webhook } from './words.tsx';

interface EditProps {
  /** Undefined for a new webhook. */
  readonly subject?: Webhook | undefined;
  readonly onDone: (webhook: Webhook, secret?: string) => void;
  readonly onClose: () => void;
}

const kinds = Map.groupBy(eventTypes, (type) => type.split('.')[0] ?? '');

interface Draft {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly restrictions: Restrictions;
  /** Tag names, separated by commas. */
  readonly tags: string;
  readonly plain: Typed;
}

function draftOf(subject: Webhook | undefined): Draft {
  const all = domains.value ?? [];
  const bound = all.filter(({ id }) => subject?.domainIds?.includes(id));
  return {
    url: subject?.url ?? '',
    events: subject?.events ?? eventTypes.slice(0, 4),
    restrictions: { domains: bound.map(({ host }) => host), folders: subject?.folderIds ?? [] },
    tags: (subject?.tags ?? []).join(', '),
    plain: typedOf(plainSettings, subject ?? {}),
  };
}

function settingsOf({ url, events, restrictions, tags, plain }: Draft) {
  const orNull = (list: readonly string[]) => (list.length === 0 ? null : [...list]);
  const names = tags.split(',').map((name) => name.trim());
  const bound = (domains.value ?? []).filter(({ host }) => restrictions.domains.includes(host));
  return {
    url: url.trim(),
    events: [...events],
    ...(sentOf(plainSettings, plain) as Pick<UpdateWebhookInput, PlainSetting>),
    tags: orNull(names.filter((name) => name !== '')),
    domainIds: orNull(bound.map(({ id }) => id)),
    folderIds: orNull(restrictions.folders),
  };
}

/**
 * Dialog that creates or edits a webhook. The user enters the endpoint URL, the subscribed events, and the links to
 * which the events are limited.
 */
export function EditDialog({ subject, onDone, onClose }: EditProps) {
  const [draft, setDraft] = useState(() => draftOf(subject));
  const [urlFault, setUrlFault] = useState<string>();
  const { isBusy, fault, setFault, ask } = useAsk();
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const forgetFaults = () => {
    setUrlFault(undefined);
    setFault(undefined);
  };
  const save = () => {
    forgetFaults();
    if (draft.url.trim() === '') return setUrlFault(t.webhooks.urlMissing);
    if (draft.events.length === 0) return setFault(t.webhooks.eventsMissing);
    void ask(async () => {
      if (subject !== undefined) return onDone(await api.updateWebhook(subject.id, settingsOf(draft)));
      const { secret, ...made } = await api.createWebhook(settingsOf(draft));
      onDone(made, secret);
    });
  };
  return (
    <Dialog
      title={subject === undefined ? t.webhooks.add : t.webhooks.edit}
      width="32.5rem"
      onClose={onClose}
      onSubmit={save}
      foot={
        <DialogFoot
          action={subject === undefined ? t.webhooks.make : t.webhooks.save}
          isBusy={isBusy}
          onAction={save}
          onCancel={onClose}
        />
      }
    >
      <div class="stack">
        <TextField
          label={fieldTexts.fieldNames.url}
          value={draft.url}
          placeholder={t.webhooks.urlHint}
          onInput={(url) => {
            change({ url });
            forgetFaults();
          }}
          error={urlFault}
          input={{ autofocus: true, maxLength: 2_048, inputMode: 'url' }}
        />
        <EventsField
          value={draft.events}
          onChange={(events) => {
            change({ events });
            forgetFaults();
          }}
        />
        <RestrictionFields value={draft.restrictions} onChange={(restrictions) => change({ restrictions })} />
        <TextField
          label={fieldTexts.fieldNames.tags}
          isOptional
          value={draft.tags}
          onInput={(tags) => change({ tags })}
          help={t.webhooks.tagsHelp}
          input={{ dir: 'auto' }}
        />
        {plainSettings.map((field) => (
          <PlainInput
            key={field.name}
            field={field}
            label={fieldTexts.fieldNames[field.name]}
            value={draft.plain[field.name] ?? ''}
            onInput={(text) => change({ plain: { ...draft.plain, [field.name]: text } })}
          />
        ))}
        <Fault text={fault} />
      </div>
    </Dialog>
  );
}

interface EventsProps {
  readonly value: readonly EventType[];
  readonly onChange: (events: readonly EventType[]) => void;
}

function EventsField({ value, onChange }: EventsProps) {
  const set = (type: EventType, isOn: boolean) =>
    onChange(eventTypes.filter((one) => (one === type ? isOn : value.includes(one))));
  return (
    <fieldset class="plain-set">
      <legend>{fieldTexts.fieldNames.events}</legend>
      <div class="hook-events">
        {[...kinds].map(([kind, types]) => (
          <div key={kind}>
            <span class="label soft">{t.webhooks.events[kind] ?? kind}</span>
            {types.map((type) => (
              <label key={type} class="option">
                <input
                  type="checkbox"
                  class="check"
                  checked={value.includes(type)}
                  onChange={(event) => set(type, event.currentTarget.checked)}
                />
                <span>{actionName(type)}</span>
              </label>
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** Dialog that shows the signing secret, which cannot be shown again. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <ShownOnce title={t.webhooks.secretTitle} text={secret} done={t.webhooks.done} onClose={onClose}>
      <p class="soft">{t.webhooks.secretHelp}</p>
    </ShownOnce>
  );
}

const dayMs = 86_400_000;

/** Dialog that replays the events after a selected time. */
export function ReplayDialog({
  subject,
  onClose,
}: {
  readonly subject: Webhook;
  readonly onClose: () => void;
}) {
  const [since, setSince] = useState<string | null>(() => new Date(Date.now() - dayMs).toISOString());
  const [choice, setChoice] = useState<'undelivered' | 'all'>('undelivered');
  const { isBusy, fault, ask } = useAsk();
  const replay = () => {
    if (since === null) return;
    void ask(async () => {
      await api.replayWebhook(subject.id, { since, all: choice === 'all' });
      notify(t.webhooks.replayed);
      onClose();
    });
  };
  return (
    <Dialog
      title={t.webhooks.replay}
      width="29rem"
      onClose={onClose}
      onSubmit={replay}
      foot={<DialogFoot action={t.webhooks.replay} isBusy={isBusy} onAction={replay} onCancel={onClose} />}
    >
      <div class="stack">
        <MomentField label={t.webhooks.since} value={since} onChange={setSince} error={fault} isFirst />
        <ChoiceField
          label={t.webhooks.replayChoice}
          values={['undelivered', 'all']}
          names={t.webhooks.replayChoices}
          value={choice}
          onChange={setChoice}
          help={t.webhooks.replayHelp[choice]}
        />
      </div>
    </Dialog>
  );
}
