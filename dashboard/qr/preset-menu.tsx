import { useEffect, useState } from 'preact/hooks';
import { MenuButton } from '../components/menu.tsx';
import { showFailure } from '../data/explain.ts';
import { notify, notifyWithUndo } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { NameDialog } from '../fields/name-dialog.tsx';
import { deletePreset, isSameStyle, loadPresets, maxPresets, presets, savePreset } from './presets.ts';
import type { Style } from './style.ts';
import { t } from './texts.ts';

interface PresetMenuProps {
  readonly style: Style;
  readonly onChange: (changes: Partial<Style>) => void;
}

/** Menu that applies, saves and deletes the account's presets. */
export function PresetMenu({ style, onChange }: PresetMenuProps) {
  const { qr } = t;
  const [isNaming, setNaming] = useState(false);
  useEffect(() => void loadPresets(), []);
  const all = presets.value ?? [];
  const current = all.find((preset) => isSameStyle(style, preset.style));
  const remove = async () => {
    if (current === undefined) return;
    try {
      await deletePreset(current.name);
      notifyWithUndo(qr.presetDeleted(current.name), qr.presetSaved(current.name), () => savePreset(current));
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <>
      <MenuButton
        size="small"
        icon="bookmark"
        menuLabel={qr.presets}
        align="end"
        items={() => [
          ...all.map((preset) => ({
            label: preset.name,
            isChosen: preset === current,
            onSelect: () => onChange({ ...preset.style, logo: style.logo }),
          })),
          ...(all.length === 0 ? [] : [undefined]),
          current === undefined
            ? {
                label: qr.savePreset,
                icon: 'plus' as const,
                onSelect: () => setNaming(true),
                disabledReason:
                  writesWait() ?? (all.length < maxPresets ? undefined : qr.presetsFull(maxPresets)),
              }
            : {
                label: qr.deletePreset(current.name),
                icon: 'bin' as const,
                onSelect: () => void remove(),
                disabledReason: writesWait(),
              },
        ]}
      >
        {qr.presets}
      </MenuButton>
      {isNaming && (
        <NameDialog
          title={qr.savePreset}
          start=""
          label={qr.presetName}
          check={(name) => (name === '' ? qr.presetNameMissing : undefined)}
          hint={(name) => (all.some((one) => one.name === name) ? qr.presetReplaced : undefined)}
          onSave={async (name) => {
            await savePreset({ name, style: { ...style, logo: undefined } });
            notify(qr.presetSaved(name));
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
