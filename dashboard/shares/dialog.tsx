import { useEffect, useState } from 'preact/hooks';
import type { ListSharesResult, ShareLinkResult } from '../../src/client/client.ts';
import { base, closeDialog } from '../browser/location.ts';
import { Fault, useAsk } from '../components/ask.tsx';
import { Button } from '../components/button.tsx';
import { ChoiceField } from '../components/choices.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Slip } from '../components/pieces.tsx';
import { Failure } from '../components/states.tsx';
import { api } from '../data/client.ts';
import { showFailure } from '../data/explain.ts';
import { codeIn, findLink } from '../data/links/find.ts';
import { may } from '../data/session-state.ts';
import { notify } from '../data/undo.ts';
import { writesWait } from '../data/writes.ts';
import { dateAndTime, longDate } from '../texts/format.ts';
import { t } from './texts.ts';

export type Listed = ListSharesResult[number];
type Share = Listed;
type Ends = keyof typeof t.shares.presets;
const ends = ['never', '7', '30', '365'] as const satisfies readonly Ends[];
const dayMs = 86_400_000;

/** Dialog for public shares of a link's statistics: create, copy, revoke. */
export function ShareDialog({ code }: { readonly code: string }) {
  const [linkId, setLinkId] = useState<string>();
  const [shares, setShares] = useState<readonly Share[]>();
  const [error, setError] = useState<unknown>();
  const [created, setCreated] = useState<ShareLinkResult>();
  const read = async () => {
    try {
      const { id } = await findLink(code);
      setLinkId(id);
      setShares(await api.listShares(id));
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  };
  useEffect(() => void read(), [code]);
  return (
    <Dialog title={t.shares.title(codeIn(code))} width="36rem" onClose={() => void closeDialog()}>
      <div class="stack shares">
        <p class="soft">{t.shares.about}</p>
        {error !== undefined ? (
          <Failure title={t.shares.failed} error={error} onRetry={() => void read()} />
        ) : linkId === undefined ? null : (
          <>
            {created === undefined ? (
              <NewShare
                onMake={async (expiresAt) => {
                  const share = await api.shareLink(linkId, { expiresAt });
                  setCreated(share);
                  setShares([...(shares ?? []), share]);
                }}
              />
            ) : (
              <MadeShare url={`${location.origin}${base}/shared/${created.token}`} />
            )}
            {shares !== undefined && (
              <Shares
                shares={shares}
                onRevoked={({ id }) => {
                  setShares(shares.filter((share) => share.id !== id));
                  if (created?.id === id) setCreated(undefined);
                }}
              />
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

interface NewShareProps {
  readonly hasPassword?: boolean;
  readonly onMake: (expiresAt: string | null, password: string | null) => Promise<void>;
}

export function NewShare({ hasPassword, onMake }: NewShareProps) {
  const [preset, setPreset] = useState<Ends>('30');
  const [password, setPassword] = useState('');
  const { isBusy, fault, ask } = useAsk();
  const expiresAt = preset === 'never' ? null : new Date(Date.now() + Number(preset) * dayMs).toISOString();
  const why = writesWait() ?? (may('analytics:read') ? undefined : t.shares.lacks);
  const make = () => void ask(() => onMake(expiresAt, password || null));
  return (
    <>
      <ChoiceField
        label={t.shares.expires}
        values={ends}
        names={t.shares.presets}
        value={preset}
        onChange={setPreset}
        help={expiresAt === null ? t.shares.endsNever : t.shares.endsOn(longDate(expiresAt))}
      />
      {hasPassword && (
        <TextField
          label={t.shared.password}
          isOptional
          value={password}
          onInput={setPassword}
          input={{ type: 'password', autocomplete: 'new-password', maxLength: 128 }}
        />
      )}
      <Fault text={fault} />
      <Button kind="primary" icon="share" isBusy={isBusy} disabledReason={why} onClick={make}>
        {t.shares.make}
      </Button>
    </>
  );
}

/** Shows a new share's URL, which cannot be shown again. */
export function MadeShare({ url }: { readonly url: string }) {
  return (
    <>
      <p>{t.shares.made}</p>
      <Slip class="shared-slip">
        <p class="mono key-text">{url}</p>
        <div class="slip-tools">
          <CopyButton text={() => url} rest={{ autofocus: true }} />
          <Button icon="external" onClick={() => window.open(url, '_blank', 'noreferrer')}>
            {t.shares.open}
          </Button>
        </div>
      </Slip>
    </>
  );
}

interface SharesProps {
  readonly shares: readonly Share[];
  readonly onRevoked: (share: Share) => void;
}

export function Shares({ shares, onRevoked }: SharesProps) {
  /** Id of the share that a second click revokes. Two clicks are needed because revoking cannot be undone. */
  const [ending, setEnding] = useState<string>();
  const revoke = async (share: Share) => {
    if (ending !== share.id) return setEnding(share.id);
    try {
      await api.revokeShare(share.id);
      onRevoked(share);
      notify(t.shares.revoked);
    } catch (failure) {
      showFailure(failure);
    }
  };
  return (
    <section aria-label={t.shares.listed}>
      <h2 class="listed-head">{t.shares.listed}</h2>
      {shares.length === 0 && <p class="small soft">{t.shares.none}</p>}
      <ul class="share-list">
        {shares.map((share) => (
          <li key={share.id}>
            <span>
              {t.shares.madeOn(dateAndTime(share.createdAt))} <span class="soft">· {endOf(share)}</span>
            </span>
            <Button
              size="small"
              kind={ending === share.id ? 'danger' : 'second'}
              disabledReason={writesWait()}
              onClick={() => void revoke(share)}
              rest={{ onBlur: () => setEnding(undefined) }}
            >
              {ending === share.id ? t.shares.revokeNow : t.shares.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function endOf({ expiresAt }: Share): string {
  if (expiresAt === null) return t.shares.never;
  const date = longDate(expiresAt);
  return Date.parse(expiresAt) <= Date.now() ? t.shares.ended(date) : t.shares.until(date);
}
