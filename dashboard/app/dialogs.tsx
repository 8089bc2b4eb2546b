import type { ComponentType, VNode } from 'preact';
import { closeDialog, type DialogName, openDialogName, query } from '../browser/location.ts';
import { Dialog, HoldKeys } from '../components/dialog.tsx';
import { lazy, type Pending } from '../components/lazy.tsx';
import { Failure } from '../components/states.tsx';
import { t } from './texts.ts';

function dialog<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(load, DialogPending);
}

function DialogPending({ error, onRetry }: Pending) {
  if (error === undefined) return null;
  return (
    <Dialog title="Linkfold" width="30rem" onClose={() => void closeDialog()}>
      <Failure title={t.loadFailed} error={error} onRetry={onRetry} />
    </Dialog>
  );
}

const Builder = dialog(() => import('../builder/builder.tsx').then((module) => module.Builder));
const BulkCreate = dialog(() => import('../bulk-create/bulk-create.tsx').then((module) => module.BulkCreate));
const CampaignBuilder = dialog(() =>
  import('../campaign/campaign.tsx').then((module) => module.CampaignBuilder),
);
const Help = dialog(() => import('../help/help.tsx').then((module) => module.Help));
const QrDialog = dialog(() => import('../qr/dialog.tsx').then((module) => module.QrDialog));
const CodesDialog = dialog(() => import('../link/codes.tsx').then((module) => module.CodesDialog));
const ShareDialog = dialog(() => import('../shares/dialog.tsx').then((module) => module.ShareDialog));
const Accounts = dialog(() => import('../accounts/accounts.tsx').then((module) => module.Accounts));
export const Again = dialog(() => import('../accounts/again.tsx').then((module) => module.Again));

const dialogs: Partial<Record<DialogName, (value: string) => VNode>> = {
  new: () => <Builder key="new" />,
  edit: (code) => <Builder key={code} code={code} />,
  many: () => <BulkCreate />,
  campaign: () => <CampaignBuilder />,
  help: () => <Help />,
  qr: (code) => <QrDialog code={code} />,
  codes: (code) => <CodesDialog code={code} />,
  accounts: () => <Accounts />,
  share: (code) => <ShareDialog code={code} />,
};

/** Shows the dialog named in the URL, on top of any screen. Excludes dialogs that belong to a single screen. */
export function Dialogs() {
  const name = openDialogName.value;
  return <>{name !== undefined && dialogs[name]?.(query.value.get(name) ?? '')}</>;
}

/**
 * Captures key presses while the dialog named in the URL is loading. Rendered before the dialog, so that the dialog's
 * own handlers take precedence.
 */
export function KeysOfDialogs() {
  return openDialogName.value === undefined ? null : <HoldKeys onEscape={() => void closeDialog()} />;
}
