import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { withUtm } from '../data/links/utm.ts';
import { notify } from '../data/undo.ts';
import { type Channel, channelNamed, codeOf, maxChannels, utmOf } from './channels.ts';
import { t } from './texts.ts';

interface ChannelRowsProps {
  readonly channels: readonly Channel[];
  readonly campaign: string;
  /** Destination URL. Empty if not entered yet. */
  readonly url: string;
  readonly faults: ReadonlyMap<string, string>;
  readonly onChange: (change: (all: readonly Channel[]) => readonly Channel[]) => void;
}

/** Rows for a campaign's channels, with codes and URLs. */
export function ChannelRows({ channels, campaign, url, faults, onChange }: ChannelRowsProps) {
  const { campaign: texts } = t;
  const set = (key: string, changes: Partial<Channel>) =>
    onChange((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  return (
    <section class="channels" aria-labelledby="channels">
      <h3 id="channels">{texts.channels}</h3>
      <ul>
        {channels.map((channel) => (
          <ChannelRow
            key={channel.key}
            channel={channel}
            code={codeOf(channel, campaign)}
            target={url === '' ? '' : withUtm(url, utmOf(channel, campaign)).join('')}
            fault={faults.get(channel.key)}
            onChange={(changes) => set(channel.key, changes)}
          />
        ))}
      </ul>
      <NewChannel
        isFull={channels.length >= maxChannels}
        onAdd={(added) => onChange((all) => [...all.filter(({ key }) => key !== added.key), added])}
      />
    </section>
  );
}

interface ChannelRowProps {
  readonly channel: Channel;
  readonly code: string;
  readonly target: string;
  readonly fault: string | undefined;
  readonly onChange: (changes: Partial<Channel>) => void;
}

function ChannelRow({ channel, code, target, fault, onChange }: ChannelRowProps) {
  const { campaign: texts } = t;
  const { name, isOn, link, utm, isTemplate } = channel;
  const save = async () => {
    try {
      await api.createUtmTemplate({ name, utm });
      onChange({ isTemplate: true });
      notify(texts.templateSaved(name));
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <li class={isOn ? '' : 'off'}>
      <label class="channel-name">
        <input
          type="checkbox"
          checked={isOn}
          disabled={link !== undefined}
          onChange={(event) => onChange({ isOn: event.currentTarget.checked })}
        />
        <span class="cut">{name}</span>
      </label>
      {isOn && link === undefined && (
        <span class="input">
          <input
            aria-label={texts.codeOf(name)}
            aria-invalid={fault === undefined ? undefined : true}
            autocomplete="off"
            spellcheck={false}
            value={channel.typed ?? code}
            onInput={(event) => onChange({ typed: event.currentTarget.value, error: undefined })}
          />
        </span>
      )}
      {isOn && link !== undefined && <b class="cut">{link.shortCode}</b>}
      {isOn && link === undefined && !isTemplate && (
        <Button
          kind="quiet"
          size="small"
          icon="bookmark"
          label={`${texts.saveTemplate}: ${name}`}
          onClick={() => void save()}
        />
      )}
      {isOn && fault !== undefined && (
        <span class="bad-words" role="status">
          {fault}
        </span>
      )}
      {isOn && target !== '' && (
        <span class="channel-target small soft cut" title={target}>
          {target}
        </span>
      )}
    </li>
  );
}

interface NewChannelProps {
  readonly isFull: boolean;
  readonly onAdd: (channel: Channel) => void;
}

function NewChannel({ isFull, onAdd }: NewChannelProps) {
  const { campaign: texts } = t;
  const [name, setName] = useState('');
  const channel = channelNamed(name);
  const add = () => {
    if (channel === undefined || isFull) return;
    onAdd(channel);
    setName('');
  };
  return (
    <div class="new-channel">
      <span class="input">
        <input
          aria-label={texts.addChannel}
          placeholder={texts.channelHint}
          maxLength={50}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            add();
          }}
        />
      </span>
      <Button
        icon="plus"
        disabledReason={
          isFull ? texts.tooMany(maxChannels) : channel === undefined ? texts.channelHint : undefined
        }
        onClick={add}
      >
        {texts.addChannel}
      </Button>
    </div>
  );
}
