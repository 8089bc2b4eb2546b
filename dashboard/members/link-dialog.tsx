import { ShownOnce } from '../components/shown-once.tsx';
import { t } from './texts.ts';

/** Whether a link was sent by email, and to whom. */
export interface Mailed {
  readonly to: string | null;
  /** Null if no email was requested. */
  readonly isSent: boolean | null;
}

/** Returns the language for emails: that of the page. */
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

/** Dialog that shows a link once. */
export function AddressDialog({ title, about, url, mailed, onClose }: AddressProps) {
  return (
    <ShownOnce title={title} text={url} done={t.people.done} onClose={onClose}>
      <MailedWords mailed={mailed} />
      <p class="soft">{about}</p>
    </ShownOnce>
  );
}
