import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Slip } from '../components/pieces.tsx';
import { t } from './texts.ts';

/** Whether an address was sent by mail, and where to. */
export interface Mailed {
  readonly to: string | null;
  /** Null where none was to be sent. */
  readonly isSent: boolean | null;
}

/** In which language mail is written: that of the page. */
export function language(): 'en' | 'de' {
  return document.documentElement.lang.startsWith('de') ? 'de' : 'en';
}

function MailedWords({ mailed: { to, isSent } }: { readonly mailed: Mailed }) {
  if (isSent === null) return null;
  return isSent ? (
    <p role="status">{t.people.mailed(to ?? '')}</p>
  ) : (
    <p class="fault" role="alert">
      {t.people.notMailed}
    </p>
  );
}

interface AddressProps {
  readonly title: string;
  readonly about: string;
  readonly url: string;
  readonly mailed: Mailed;
  readonly onClose: () => void;
}

/** An address that is shown only now. It closes with a click only when it was copied. */
export function AddressDialog({ title, about, url, mailed, onClose }: AddressProps) {
  const [isTaken, setTaken] = useState(false);
  return (
    <Dialog
      title={title}
      width="35rem"
      class="shown-key"
      onClose={isTaken ? onClose : undefined}
      foot={
        <Button kind={isTaken ? 'primary' : 'second'} onClick={onClose}>
          {t.people.done}
        </Button>
      }
    >
      <MailedWords mailed={mailed} />
      <p class="soft">{about}</p>
      <Slip>
        <p class="mono key-text">{url}</p>
        <div class="slip-tools">
          <CopyButton text={() => url} rest={{ autofocus: true }} onCopied={() => setTaken(true)} />
        </div>
      </Slip>
    </Dialog>
  );
}
