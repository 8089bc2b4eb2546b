import { closeDialog } from '../browser/location.ts';
import { Dialog } from '../components/dialog.tsx';
import { Keys } from '../components/keys.tsx';
import { preferences } from '../data/preferences.ts';
import { t } from './texts.ts';

/** Keys to display for help entries whose name is not the key itself. */
const printed: Readonly<Record<string, string>> = {
  paste: 'mod+v',
  g: 'g h l s f t k b',
  move: 'arrowup arrowdown j k',
  bars: 'arrowleft arrowright',
  extend: 'shift+arrowup arrowdown',
};

/** Lists all shortcuts, grouped by where they apply. */
export function Help() {
  return (
    <Dialog title={t.places.shortcuts} width="52rem" isText onClose={() => void closeDialog()}>
      {!preferences.value.letters && <p class="soft">{t.help.off}</p>}
      <div class="help-columns">
        <Rows title={t.help.anywhere} rows={t.help.rows} />
        <Rows title={t.help.list} rows={t.help.listRows} />
        <Rows title={t.help.statistics} rows={t.help.statisticsRows} />
        <Rows title={t.help.builder} rows={t.help.builderRows} />
      </div>
    </Dialog>
  );
}

function Rows({ title, rows }: { readonly title: string; readonly rows: Readonly<Record<string, string>> }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {Object.entries(rows).map(([keys, label]) => (
          <li key={keys}>
            <span>{label}</span>
            <Keys keys={printed[keys] ?? keys} />
          </li>
        ))}
      </ul>
    </section>
  );
}
