import { useState } from 'preact/hooks';
import { AskDialog } from '../components/ask-dialog.tsx';
import { ChoiceField } from '../components/choices.tsx';
import { api } from '../data/client.ts';
import { notify } from '../data/undo.ts';
import type { SubjectProps } from './role.tsx';
import { t } from './texts.ts';

/**
 * Dialog that removes a member. If the member has created keys, asks whether to keep or revoke the keys, so that no
 * integration stops unexpectedly.
 */
export function RemoveDialog({ subject, onDone, onClose }: SubjectProps) {
  const { id, name, keys, webhooks, invitations, isCurrent } = subject;
  // Members who remove themselves cannot keep their own keys, so revoking is the only choice.
  const [left, setLeft] = useState<'keep' | 'revoke'>(isCurrent ? 'revoke' : 'keep');
  const remove = async () => {
    await api.removeMember(id, keys.length === 0 ? {} : { keys: left });
    notify(t.people.removeDone(name));
    onDone();
  };
  return (
    <AskDialog
      title={t.people.removeTitle(name)}
      action={t.people.remove}
      isDanger
      onAct={remove}
      onClose={onClose}
    >
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
      {webhooks.length > 0 && (
        <>
          <p>{t.people.webhooksStay(webhooks.length)}</p>
          <ul class="left-keys">
            {webhooks.map((webhook) => (
              <li key={webhook.id} class="mono">
                {webhook.url}
              </li>
            ))}
          </ul>
        </>
      )}
      {invitations > 0 && <p>{t.people.invitationsEnd(invitations)}</p>}
    </AskDialog>
  );
}
