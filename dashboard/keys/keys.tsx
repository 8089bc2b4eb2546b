import { useEffect, useState } from 'preact/hooks';
import { closeDialog, openDialog, openDialogName } from '../browser/location.ts';
import { useShortcuts } from '../browser/shortcuts.ts';
import { AskDialog } from '../components/ask-dialog.tsx';
import { Button } from '../components/button.tsx';
import { Ledger, RowMenu } from '../components/ledger.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { api } from '../data/client.ts';
import { soonMs } from '../data/links/links.ts';
import { may } from '../data/session-state.ts';
import { notify } from '../data/undo.ts';
import { describeRestrictions } from '../fields/restrictions.tsx';
import { longDate, relative } from '../texts/format.ts';
import { scopeName } from './form.ts';
import { NewKeyDialog, RotateDialog } from './new-key.tsx';
import { ShownKey } from './shown-key.tsx';
import { t } from './texts.ts';
import type { Key, NewKey } from './types.ts';

/** Screen for the account's API keys: create, rotate, revoke. A new key is shown only once. */
export function Keys() {
  const [keys, setKeys] = useState<readonly Key[]>();
  const [error, setError] = useState<unknown>();
  const [shown, setShown] = useState<NewKey>();
  const [rotated, setRotated] = useState<Key>();
  const [revoked, setRevoked] = useState<Key>();
  const mayMake = may('keys:write');

  const read = () =>
    api.listKeys().then((all) => {
      setKeys(all);
      setError(undefined);
    }, setError);
  useEffect(() => {
    if (mayMake) void read();
  }, [mayMake]);
  useShortcuts({ c: () => (mayMake ? openDialog('key') : false) });

  const showCreated = (key: NewKey) => {
    void closeDialog();
    setRotated(undefined);
    setShown(key);
    void read();
  };
  return (
    <Page
      title={t.keys.title}
      about={t.keys.about}
      actions={
        <Button
          kind="primary"
          icon="plus"
          keys="c"
          disabledReason={mayMake ? undefined : t.keys.forbidden}
          onClick={() => openDialog('key')}
        >
          {t.keys.add}
        </Button>
      }
    >
      {!mayMake ? (
        <p class="soft">{t.keys.forbidden}</p>
      ) : (
        <Loaded value={keys} error={error} failed={t.keys.failed} rows={4} onRetry={read}>
          {(keys) => <Table keys={keys} onRotate={setRotated} onRevoke={setRevoked} />}
        </Loaded>
      )}
      {openDialogName.value === 'key' && mayMake && (
        <NewKeyDialog onCreated={showCreated} onClose={() => void closeDialog()} />
      )}
      {rotated !== undefined && (
        <RotateDialog subject={rotated} onCreated={showCreated} onClose={() => setRotated(undefined)} />
      )}
      {revoked !== undefined && (
        <RevokeDialog subject={revoked} onDone={() => void read()} onClose={() => setRevoked(undefined)} />
      )}
      {shown !== undefined && <ShownKey subject={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

interface TableProps {
  readonly keys: readonly Key[];
  readonly onRotate: (key: Key) => void;
  readonly onRevoke: (key: Key) => void;
}

function Table({ keys, onRotate, onRevoke }: TableProps) {
  return (
    <Ledger
      class="keys-table"
      columns={[
        { name: t.keys.name },
        { name: t.keys.starts, class: 'wide' },
        { name: t.keys.may, class: 'wide' },
        { name: t.keys.lastUsed, class: 'wide' },
        { name: t.keys.expires },
        { name: t.more, class: 'unseen' },
      ]}
    >
      {keys.map((key) => (
        <tr key={key.id} class={key.state === 'live' ? '' : 'over'}>
          <td>
            <b dir="auto">{key.name}</b>
            <span class="soft block">
              {key.isCurrent
                ? t.keys.thisSession
                : key.madeBy === null
                  ? t.keys.created(longDate(key.createdAt))
                  : t.keys.createdBy(key.madeBy.name, longDate(key.createdAt))}
            </span>
            <RestrictedTo subject={key} />
          </td>
          <td class="wide mono">lfk_{key.id.slice(0, 5)}…</td>
          <td class="wide">
            <span class="scopes">
              {key.scopes.map((scope) => (
                <span key={scope} class="tag">
                  {scopeName(scope)}
                </span>
              ))}
            </span>
          </td>
          <td class="wide">{key.lastUsedAt === null ? t.keys.neverUsed : relative(key.lastUsedAt)}</td>
          <td>
            <Expiry subject={key} />
          </td>
          <td>
            {key.state === 'live' && (
              <RowMenu
                label={t.moreFor(key.name)}
                items={() => [
                  { label: t.keys.rotate, icon: 'refresh', onSelect: () => onRotate(key) },
                  undefined,
                  { label: t.keys.revoke, icon: 'close', isDanger: true, onSelect: () => onRevoke(key) },
                ]}
              />
            )}
          </td>
        </tr>
      ))}
    </Ledger>
  );
}

function RestrictedTo({ subject }: { readonly subject: Key }) {
  const words = describeRestrictions(subject);
  return words === undefined ? null : (
    <span class="soft block" dir="auto">
      {t.keys.only} {words}
    </span>
  );
}

function Expiry({ subject }: { readonly subject: Key }) {
  if (subject.state === 'revoked') return <span class="soft">{t.keys.revoked}</span>;
  if (subject.state === 'expired') return <span class="soft">{t.keys.expired}</span>;
  if (subject.expiresAt === null) return <span class="soft">{t.never}</span>;
  const isSoon = Date.parse(subject.expiresAt) - Date.now() <= soonMs;
  return isSoon ? (
    <span class="soon-words">{relative(subject.expiresAt)}</span>
  ) : (
    <span class="soft">{longDate(subject.expiresAt)}</span>
  );
}

interface RevokeProps {
  readonly subject: Key;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Dialog that confirms revoking a key, which cannot be undone. */
function RevokeDialog({ subject, onDone, onClose }: RevokeProps) {
  const revoke = async () => {
    await api.revokeKey(subject.id);
    notify(t.keys.revokeDone(subject.name));
    onClose();
    onDone();
  };
  return (
    <AskDialog
      title={t.keys.revokeTitle(subject.name)}
      action={t.keys.revoke}
      isDanger
      onAct={revoke}
      onClose={onClose}
    >
      <p class="soft">{t.keys.revokeHelp}</p>
    </AskDialog>
  );
}
