import { useState } from 'preact/hooks';
import { useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { api } from '../data/client.ts';
import { normalUrl } from '../data/links/addresses.ts';
import type { FullLink } from '../data/links/links.ts';
import { linksChanged } from '../data/links/list.ts';
import { t as dataTexts } from '../data/texts.ts';
import { notifyWithUndo } from '../data/undo.ts';
import { t as fieldTexts } from '../fields/texts.ts';
import { t } from './texts.ts';

type Match = { readonly ifMatch?: number };

interface InPlaceProps {
  readonly link: FullLink;
  readonly onDone: () => void;
}

export function TitleInPlace({ link, onDone }: InPlaceProps) {
  const set = (title: string | null, match: Match = {}) => api.updateLink(link.id, { title }, match);
  return (
    <InPlace
      label={t.link.editTitle}
      value={link.title ?? ''}
      maxLength={255}
      onDone={onDone}
      onSave={async (text) => {
        await set(text.trim() || null, { ifMatch: link.revision });
        return () => set(link.title ?? null);
      }}
    />
  );
}

/** Editor for the destination. The current destination stays visible below. */
export function DestinationInPlace({ link, onDone }: InPlaceProps) {
  const set = (url: string, match: Match = {}) => api.repointLink(link.id, { url }, match);
  return (
    <InPlace
      label={t.link.editDestination}
      value={link.destinationUrl}
      maxLength={8_192}
      help={fieldTexts.field.repoint(link.destinationUrl)}
      check={(text) => (normalUrl(text) === undefined ? fieldTexts.field.addressWrong : undefined)}
      onDone={onDone}
      onSave={async (text) => {
        await set(normalUrl(text) ?? text, { ifMatch: link.revision });
        return () => set(link.destinationUrl);
      }}
    />
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly help?: string;
  readonly check?: (text: string) => string | undefined;
  /** Saves the text. @returns a function that undoes the change */
  readonly onSave: (text: string) => Promise<() => Promise<unknown>>;
  readonly onDone: () => void;
}

/** Inline text input that replaces the displayed text. Enter saves, Esc cancels. */
function InPlace({ label, value, maxLength, help, check, onSave, onDone }: FieldProps) {
  const [text, setText] = useState(value);
  const { isBusy, fault: error, setFault: setError, ask } = useAsk();
  const save = () => {
    const wrong = check?.(text);
    setError(wrong);
    if (wrong !== undefined || isBusy) return;
    if (text === value) return onDone();
    void ask(async () => {
      const undo = await onSave(text);
      linksChanged();
      notifyWithUndo(dataTexts.did.saved, dataTexts.did.savedBack, async () => {
        await undo();
        linksChanged();
      });
      onDone();
    });
  };
  return (
    <form
      class="in-place-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onDone();
      }}
    >
      <div class="input">
        <input
          aria-label={label}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby="in-place-help"
          maxLength={maxLength}
          value={text}
          dir="auto"
          autofocus
          ref={(field) => {
            if (field !== null && document.activeElement !== field) field.focus();
          }}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setError(undefined);
          }}
        />
      </div>
      <Button kind="primary" type="submit" keys="enter" isBusy={isBusy}>
        {t.save}
      </Button>
      <Button kind="quiet" keys="escape" onClick={onDone}>
        {t.cancel}
      </Button>
      <p id="in-place-help" class={`small ${error === undefined ? 'soft' : 'fault'}`}>
        {error ?? help}
      </p>
    </form>
  );
}
