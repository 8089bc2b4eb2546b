import { useState } from 'preact/hooks';
import { base, go } from '../browser/location.ts';
import { useAsk } from '../components/ask.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { api } from '../data/client.ts';
import { loadDomains } from '../data/groups.ts';
import { hostIn, isWholeDomain } from './model.ts';
import { t } from './texts.ts';
import { explainRefusal } from './words.tsx';

/** Dialog that adds a domain. Afterwards, the domain's page shows the next steps. */
export function AddDomain({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const { isBusy, fault, setFault, ask } = useAsk(explainRefusal);
  const host = hostIn(text);
  const add = () => {
    if (host === undefined) return setFault(t.domains.hostWrong);
    void ask(async () => {
      const { id } = await api.createDomain({ host });
      await loadDomains();
      go(`${base}/domains/${id}`, { replace: true });
    });
  };
  return (
    <Dialog
      title={t.domains.add}
      width="30rem"
      onClose={onClose}
      onSubmit={add}
      foot={
        <DialogFoot
          keys="enter"
          action={t.domains.addHost}
          isBusy={isBusy}
          onAction={add}
          onCancel={onClose}
        />
      }
    >
      <TextField
        label={t.domains.host}
        placeholder="go.example.com"
        value={text}
        onInput={(value) => {
          setText(value);
          setFault(undefined);
        }}
        onLeave={() => text.trim() !== '' && host === undefined && setFault(t.domains.hostWrong)}
        error={fault}
        help={host !== undefined && isWholeDomain(host) ? t.domains.hostWhole(host) : t.domains.hostHelp}
        input={{ autofocus: true, maxLength: 260, autocapitalize: 'off', inputMode: 'url' }}
      />
    </Dialog>
  );
}
