import { useState } from 'preact/hooks';
import { ChoiceField } from '../components/choices.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { api } from '../data/client.ts';
import { explain } from '../data/explain.ts';
import { tell } from '../data/undo.ts';
import type { SubjectProps } from './role.tsx';
import { t } from './texts.ts';

/** Removes a person. When they made keys, it asks what becomes of those: nothing that runs stops unseen. */
export function RemoveDialog({ subject, onDone, onClose }: SubjectProps) {
  const { id, name, keys, isCurrent } = subject;
  // Somebody who leaves by themselves hands nothing over to themselves.
  const [left, setLeft] = useState<'keep' | 'revoke'>(isCurrent ? 'revoke' : 'keep');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await api.removeMember(id, keys.length === 0 ? {} : { keys: left });
      tell(t.people.removeDone(name));
      onDone();
    } catch (error) {
      setFault(explain(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t.people.removeTitle(name)}
      width="30rem"
      onClose={onClose}
      onSubmit={() => void remove()}
      foot={
        <DialogFoot
          kind="danger"
          keys={null}
          action={t.people.remove}
          isBusy={isBusy}
          onAction={() => void remove()}
          onCancel={onClose}
        />
      }
    >
      <div class="stack">
        <p class="soft">{t.people.removeHelp}</p>
        {keys.length > 0 && (
          <>
            <p>{t.people.keys(keys.length)}</p>
            <ul class="left-keys">
              {keys.map((key) => (
                <li key={key.id}>
                  <b dir="auto">{key.name}</b> <span class="mono soft">lfk_{key.id.slice(0, 5)}…</span>
                </li>
              ))}
            </ul>
            <ChoiceField
              label={t.people.left}
              values={isCurrent ? ['revoke'] : ['keep', 'revoke']}
              names={{ keep: t.people.keep, revoke: t.people.revoke }}
              value={left}
              onChange={setLeft}
            />
          </>
        )}
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </div>
    </Dialog>
  );
}
