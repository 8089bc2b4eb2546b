import { ShownOnce } from '../components/shown-once.tsx';
import { t } from './texts.ts';

/** Recipient of an invitation or sign-in link, and whether the link was sent by email. */
export interface Mailed {
  readonly to: string | null;
  /** Whether the email was sent. Null if no email was requested. */
  readonly isSent: boolean | null;
}

/** Returns the page's language, for emails. */
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

/** Dialog that shows an invitation or sign-in link, which cannot be shown again. */
export function AddressDialog({ title, about, url, mailed, onClose }: AddressProps) {
  return (
    <ShownOnce title={title} text={url} done={t.people.done} onClose={onClose}>
      <MailedWords mailed={mailed} />
      <p class="soft">{about}</p>
    </ShownOnce>
  );
}
