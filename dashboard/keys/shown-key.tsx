import { useState } from 'preact/hooks';
import { copyText } from '../browser/clipboard.ts';
import { saveFile } from '../browser/save-file.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Slip } from '../components/pieces.tsx';
import { notify } from '../data/undo.ts';
import { describeRestrictions } from '../fields/restrictions.tsx';
import { list, longDate } from '../texts/format.ts';
import { scopeName } from './form.ts';
import { t } from './texts.ts';
import type { NewKey } from './types.ts';

/** Dialog that shows a new key, which cannot be shown again. */
export function ShownKey({ subject, onClose }: { readonly subject: NewKey; readonly onClose: () => void }) {
  const [isTaken, setTaken] = useState(false);
  const { key, name, scopes, expiresAt } = subject;
  const bound = describeRestrictions(subject);
  const tryIt = `curl ${location.origin}/api/v1/me -H "Authorization: Bearer $LINKFOLD_API_KEY"`;
  return (
    <Dialog
      title={t.keys.shownTitle(name)}
      width="35rem"
      class="shown-key"
      onClose={isTaken ? onClose : undefined}
      foot={
        <>
          <span class="small soft">{isTaken ? t.keys.copiedNote : t.keys.notCopied}</span>
          {isTaken ? (
            <Button kind="primary" keys="enter" onClick={onClose}>
              {t.keys.done}
            </Button>
          ) : (
            <Button onClick={onClose}>{t.keys.closeUncopied}</Button>
          )}
        </>
      }
    >
      <p class="soft">{t.keys.shown}</p>
      <Slip>
        <p class="mono key-text">{key}</p>
        <div class="slip-tools">
          <CopyButton text={() => key} rest={{ autofocus: true }} onCopied={() => setTaken(true)} />
          <Button
            icon="save"
            onClick={() => {
              saveFile(`${name.replaceAll(/[^\w-]+/g, '-')}.txt`, 'text/plain', `${key}\n`);
              setTaken(true);
            }}
          >
            {t.keys.saveFile}
          </Button>
          <Button
            kind="quiet"
            icon="terminal"
            onClick={async () => {
              if (await copyText(tryIt)) notify(t.commandCopied);
            }}
          >
            {t.keys.tryCurl}
          </Button>
        </div>
      </Slip>
      <dl class="facts">
        <dt>{t.keys.may}</dt>
        <dd>{list(scopes.map(scopeName))}</dd>
        {bound !== undefined && (
          <>
            <dt>{t.keys.only}</dt>
            <dd dir="auto">{bound}</dd>
          </>
        )}
        <dt>{t.keys.expires}</dt>
        <dd>{expiresAt === null ? t.never : longDate(expiresAt)}</dd>
        <dt>{t.keys.madeBy}</dt>
        <dd>{t.keys.madeByMore}</dd>
      </dl>
    </Dialog>
  );
}
