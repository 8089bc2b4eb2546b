import { useEffect, useState } from 'preact/hooks';
import type { ListPasskeysResult } from '../../src/client/client.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogFoot } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { me } from '../data/session-state.ts';
import { notify } from '../data/undo.ts';
import { NewPasskey } from '../sign-in/new-passkey.tsx';
import { longDate, relative } from '../texts/format.ts';
import { t } from './texts.ts';

type Passkey = ListPasskeysResult[number];

/** Section with the user's passkeys. Hidden if the session belongs to a key. */
export function Passkeys() {
  const person = me.value?.person;
  const [passkeys, setPasskeys] = useState<readonly Passkey[]>([]);
  const [renamed, setRenamed] = useState<Passkey>();
  const read = () => api.listPasskeys().then(setPasskeys, showFailure);
  useEffect(() => {
    if (person) void read();
  }, [person?.id]);
  if (!person) return null;
  const remove = async (id: string) => {
    try {
      await api.removePasskey(id);
      notify(t.passkeys.removed);
    } catch (error) {
      showFailure(error);
    }
    await read();
  };
  return (
    <section id="passkeys" class="settings-group">
      <h2>{t.passkeys.title}</h2>
      <p class="small soft">{t.passkeys.about}</p>
      {passkeys.length > 0 && (
        <table class="ledger">
          <thead class="unseen">
            <tr>
              <th scope="col">{t.passkeys.name}</th>
              <th scope="col">{t.passkeys.lastUsed}</th>
              <th scope="col">{t.passkeys.rename}</th>
            </tr>
          </thead>
          <tbody>
            {passkeys.map((one) => (
              <tr key={one.id}>
                <td>
                  <b dir="auto">{one.name}</b>
                  <span class="soft block">{t.passkeys.added(longDate(one.createdAt))}</span>
                </td>
                <td class="soft wide">
                  {one.lastUsedAt === null ? t.passkeys.notUsed : relative(one.lastUsedAt)}
                </td>
                <td>
                  <Button size="small" kind="quiet" onClick={() => setRenamed(one)}>
                    {t.passkeys.rename}
                  </Button>
                  <Button size="small" onClick={() => void remove(one.id)}>
                    {t.passkeys.remove}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <NewPasskey onAdded={() => void read()} />
      {renamed !== undefined && (
        <RenameDialog
          subject={renamed}
          onClose={() => {
            setRenamed(undefined);
            void read();
          }}
        />
      )}
    </section>
  );
}

function RenameDialog({ subject, onClose }: { readonly subject: Passkey; readonly onClose: () => void }) {
  const [name, setName] = useState(subject.name);
  const save = async () => {
    if (name.trim() === '') return;
    try {
      await api.renamePasskey(subject.id, { name: name.trim() });
      onClose();
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Dialog
      title={t.passkeys.renameTitle}
      width="26rem"
      onClose={onClose}
      onSubmit={() => void save()}
      foot={<DialogFoot action={t.save} onAction={() => void save()} onCancel={onClose} />}
    >
      <TextField
        label={t.passkeys.name}
        value={name}
        onInput={setName}
        input={{ autofocus: true, maxLength: 100, dir: 'auto' }}
      />
    </Dialog>
  );
}
