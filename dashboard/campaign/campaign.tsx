import { useEffect, useState } from 'preact/hooks';
import { closeDialog, query } from '../browser/location.ts';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { folders } from '../data/groups.ts';
import { normalUrl } from '../data/links/addresses.ts';
import { askCode } from '../data/links/availability.ts';
import { writesWait } from '../data/writes.ts';
import { chosenDomain, DomainField } from '../fields/domain-field.tsx';
import { FolderField } from '../fields/folder-field.tsx';
import { TagsField } from '../fields/tags-field.tsx';
import { t as fieldTexts } from '../fields/texts.ts';
import { ChannelRows } from './channel-rows.tsx';
import { type Channel, channelsFrom, codeOf, repeatedIn } from './channels.ts';
import { createLinks } from './create.ts';
import { Created } from './created.tsx';
import { t } from './texts.ts';

/** Milliseconds between the last key press and the code check. */
const checkAfterMs = 300;

/** Campaign builder. Creates one link per channel, all with the same destination. */
export function CampaignBuilder() {
  const { campaign: texts } = t;
  const [url, setUrl] = useState(() => query.peek().get('url') ?? '');
  const [name, setName] = useState('');
  const [host, setHost] = useState('');
  const [folderId, setFolderId] = useState<string | null>(null);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [channels, setChannels] = useState<readonly Channel[]>([]);
  const [fault, setFault] = useState<'url' | 'channels'>();
  const [isBusy, setBusy] = useState(false);
  const domain = chosenDomain(host)?.host;
  const address = normalUrl(url);
  useEffect(() => {
    const show = (templates: Awaited<ReturnType<typeof api.listUtmTemplates>>) =>
      setChannels(channelsFrom(templates, texts.defaults));
    api.listUtmTemplates().then(show, () => show([]));
  }, []);
  const faults = useCodeFaults(channels, name, domain);

  const open = channels.filter((channel) => channel.isOn && channel.link === undefined);
  const created = channels.filter((channel) => channel.link !== undefined);
  const create = async () => {
    const wrong = address === undefined ? 'url' : open.length === 0 ? 'channels' : undefined;
    setFault(wrong);
    if (wrong !== undefined || address === undefined || isBusy || writesWait() !== undefined) return;
    setBusy(true);
    try {
      const done = await createLinks({ url: address, name, domain, folderId, tags }, open);
      setChannels((all) => all.map((one) => done.find(({ key }) => key === one.key) ?? one));
    } catch (error) {
      showFailure(error);
    }
    setBusy(false);
  };
  if (created.length > 0 && open.length === 0) return <Created channels={created} />;
  const failed = open.filter(({ error }) => error !== undefined);
  return (
    <Dialog
      title={texts.title}
      width="56rem"
      class="campaign"
      onClose={() => void closeDialog()}
      onSubmit={() => void create()}
      foot={
        <DialogFoot
          action={created.length > 0 ? texts.retry(open.length) : texts.create(open.length)}
          disabledReason={writesWait() ?? (open.length === 0 ? texts.noChannel : undefined)}
          isBusy={isBusy}
          onAction={() => void create()}
          onCancel={() => void closeDialog()}
        />
      }
    >
      <div class="stack">
        <p class="soft">{texts.about}</p>
        <TextField
          label={texts.destination}
          value={url}
          placeholder={fieldTexts.field.addressHint}
          onInput={(value) => {
            setUrl(value);
            setFault(undefined);
          }}
          error={fault === 'url' ? fieldTexts.field.addressWrong : undefined}
        />
        <TextField label={texts.name} value={name} onInput={setName} help={texts.nameHelp} />
        <div class="campaign-common">
          <DomainField value={domain} onChange={setHost} />
          <FolderField value={folderId} folders={folders.value ?? []} onChange={setFolderId} />
          <TagsField value={tags} onChange={setTags} />
        </div>
        {failed.length > 0 && (
          <p class="error" role="alert">
            {texts.failed(failed.length)}
          </p>
        )}
        <ChannelRows
          channels={channels}
          campaign={name}
          url={address ?? ''}
          faults={faults}
          onChange={setChannels}
        />
        {fault === 'channels' && (
          <p class="error" role="alert">
            {texts.noChannel}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** Checks the selected channels' codes while the user types. @returns errors by channel key */
function useCodeFaults(
  channels: readonly Channel[],
  campaign: string,
  domain: string | undefined,
): ReadonlyMap<string, string> {
  const [checked, setChecked] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const on = channels.filter((channel) => channel.isOn && channel.link === undefined);
  const codes = [...new Set(on.map((channel) => codeOf(channel, campaign)))].filter((code) => code !== '');
  useEffect(() => {
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      const found = new Map<string, string | undefined>();
      for (const code of codes) {
        const is = await askCode(code, domain, asking.signal).then(
          (answer) => answer.is,
          () => undefined,
        );
        const isFree = is === 'free' || is === undefined;
        found.set(code, isFree ? undefined : is === 'reserved' ? t.campaign.reserved : t.campaign.taken);
      }
      if (!asking.signal.aborted) setChecked(found);
    }, checkAfterMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [codes.join('\n'), domain]);
  const repeated = repeatedIn(on, campaign);
  return new Map(
    on.flatMap((channel) => {
      const { key, error } = channel;
      const why = repeated.has(key) ? t.campaign.repeated : (checked.get(codeOf(channel, campaign)) ?? error);
      return why === undefined ? [] : [[key, why] as const];
    }),
  );
}
