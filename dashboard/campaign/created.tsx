import { useEffect, useState } from 'preact/hooks';
import { copyText } from '../browser/clipboard.ts';
import { closeDialog } from '../browser/location.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { MenuButton } from '../components/menu.tsx';
import { showFailure } from '../data/explain.ts';
import { notify } from '../data/undo.ts';
import { loadPresets, presets } from '../qr/presets.ts';
import type { Style } from '../qr/style.ts';
import { t as qrTexts } from '../qr/texts.ts';
import type { Channel } from './channels.ts';
import { t } from './texts.ts';

/** List of the links created for a campaign. */
export function Created({ channels }: { readonly channels: readonly Channel[] }) {
  const { campaign: texts } = t;
  const [isBusy, setBusy] = useState(false);
  const links = channels.flatMap(({ link }) => link ?? []);
  useEffect(() => void loadPresets(), []);
  const close = () => void closeDialog();
  const saveCodes = async (style?: Style) => {
    setBusy(true);
    try {
      const batch = await import('../qr/batch.ts');
      await batch.saveCodes(links, style);
    } catch (error) {
      showFailure(error);
    }
    setBusy(false);
  };
  const copyAll = async () => {
    const lines = channels.map(({ name, link }) => `${name}\t${link?.shortUrl ?? ''}`);
    if (await copyText(lines.join('\n'))) notify(texts.copied(lines.length));
  };
  return (
    <Dialog
      title={texts.created(links.length)}
      width="44rem"
      class="campaign"
      onClose={close}
      onSubmit={close}
      foot={
        <>
          <Button icon="copy" onClick={() => void copyAll()}>
            {texts.copyAll}
          </Button>
          {(presets.value ?? []).length === 0 ? (
            <Button icon="download" isBusy={isBusy} onClick={() => void saveCodes()}>
              {texts.codes}
            </Button>
          ) : (
            <MenuButton
              icon="download"
              isBusy={isBusy}
              menuLabel={texts.codes}
              items={() => [
                { label: qrTexts.qr.lastUsed, onSelect: () => void saveCodes() },
                ...(presets.value ?? []).map(({ name, style }) => ({
                  label: name,
                  onSelect: () => void saveCodes(style),
                })),
              ]}
            >
              {texts.codes}
            </MenuButton>
          )}
          <Button kind="primary" keys="mod+enter" onClick={close}>
            {texts.done}
          </Button>
        </>
      }
    >
      <ul class="campaign-links">
        {channels.map(({ key, name, link }) => (
          <li key={key}>
            <span class="cut">{name}</span>
            <b class="cut">{link?.shortUrl.replace(/^https?:\/\//, '')}</b>
            <CopyButton size="small" text={() => link?.shortUrl ?? ''} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
