import type { VNode } from 'preact';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { closeDialog, type DialogName, openDialogName, query } from '../browser/location.ts';
import { HoldKeys } from '../components/dialog.tsx';

const Builder = lazy(() => import('../builder/builder.tsx').then((module) => module.Builder));
const Many = lazy(() => import('../many/many.tsx').then((module) => module.Many));
const Help = lazy(() => import('../help/help.tsx').then((module) => module.Help));
const QrDialog = lazy(() => import('../qr/dialog.tsx').then((module) => module.QrDialog));
const CodesDialog = lazy(() => import('../link/codes.tsx').then((module) => module.CodesDialog));
const ShareDialog = lazy(() => import('../shares/dialog.tsx').then((module) => module.ShareDialog));
const Accounts = lazy(() => import('../accounts/accounts.tsx').then((module) => module.Accounts));
export const Again = lazy(() => import('../accounts/again.tsx').then((module) => module.Again));

const dialogs: Partial<Record<DialogName, (value: string) => VNode>> = {
  new: () => <Builder key="new" />,
  edit: (code) => <Builder key={code} code={code} />,
  many: () => <Many />,
  help: () => <Help />,
  qr: (code) => <QrDialog code={code} />,
  codes: (code) => <CodesDialog code={code} />,
  accounts: () => <Accounts />,
  share: (code) => <ShareDialog code={code} />,
};

/** The dialogs that lie over any screen, by the address. A screen shows those of its own. */
export function Dialogs() {
  const name = openDialogName.value;
  return <ErrorBoundary>{name !== undefined && dialogs[name]?.(query.value.get(name) ?? '')}</ErrorBoundary>;
}

/** Holds the keys for the dialog in the address. It stands before whatever shows the dialog, whose own keys are asked first. */
export function KeysOfDialogs() {
  return openDialogName.value === undefined ? null : <HoldKeys onEscape={() => void closeDialog()} />;
}
