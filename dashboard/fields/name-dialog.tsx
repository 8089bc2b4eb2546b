import { useState } from 'preact/hooks';
import { type ErrorDetail, LinkfoldError } from '../../src/client/errors.ts';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { explain } from '../data/explain.ts';
import { t } from './texts.ts';

interface NameProps {
  readonly title: string;
  readonly start: string;
  readonly label: string;
  /** Redirect target for expired links. Set for folders only. */
  readonly url?: string;
  readonly check: (name: string) => string | undefined;
  /** Returns a warning to show for a name. The user may still save the name. */
  readonly hint?: (name: string) => string | undefined;
  readonly onSave: (name: string, url: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Describes why the server rejects a redirect URL. */
export function whyNoTarget({ reason, message }: ErrorDetail): string {
  return reason === 'invalid_format' ? t.field.addressWrong : message;
}

/** Dialog that asks for a name. For folders, also asks for a redirect URL. */
export function NameDialog({ title, start, label, url: startUrl, check, hint, onSave, onClose }: NameProps) {
  const [name, setName] = useState(start);
  const [url, setUrl] = useState(startUrl ?? '');
  const [error, setError] = useState<string>();
  const [urlError, setUrlError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    const wrong = check(name.trim());
    setError(wrong);
    if (wrong !== undefined || isBusy) return;
    setBusy(true);
    try {
      await onSave(name.trim(), url.trim());
      onClose();
    } catch (failure) {
      const [detail] = failure instanceof LinkfoldError ? failure.details : [];
      const isOfUrl = detail?.field === 'expiredUrl';
      setUrlError(isOfUrl ? whyNoTarget(detail) : undefined);
      setError(isOfUrl ? undefined : explain(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      width="26rem"
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <DialogFoot
          keys="enter"
          action={t.save}
          isBusy={isBusy}
          onAction={() => void save()}
          onCancel={onClose}
        />
      }
    >
      <div class="stack">
        <TextField
          label={label}
          value={name}
          onInput={(value) => {
            setName(value);
            setError(undefined);
          }}
          error={error}
          help={hint?.(name.trim())}
          input={{ autofocus: true, maxLength: 50, dir: 'auto' }}
        />
        {startUrl !== undefined && (
          <TextField
            isOptional
            label={t.field.expiredUrl}
            help={t.field.expiredHelp}
            placeholder="https://"
            value={url}
            onInput={(value) => {
              setUrl(value);
              setUrlError(undefined);
            }}
            error={urlError}
          />
        )}
      </div>
    </Dialog>
  );
}
