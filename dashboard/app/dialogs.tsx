import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { openDialogName, query } from '../browser/location.ts';

const Builder = lazy(() => import('../builder/builder.tsx').then((module) => module.Builder));
const Many = lazy(() => import('../many/many.tsx').then((module) => module.Many));
const Help = lazy(() => import('../help/help.tsx').then((module) => module.Help));
const QrDialog = lazy(() => import('../qr/dialog.tsx').then((module) => module.QrDialog));
const CodesDialog = lazy(() => import('../link/codes.tsx').then((module) => module.CodesDialog));
const ShareDialog = lazy(() => import('../shares/dialog.tsx').then((module) => module.ShareDialog));

/** The dialogs that lie over any screen, by the address. A screen shows those of its own. */
export function Dialogs() {
  const value = (name: string) => query.value.get(name) ?? '';
  return <ErrorBoundary>{dialog(openDialogName.value, value)}</ErrorBoundary>;
}

function dialog(name: string | undefined, value: (name: string) => string) {
  switch (name) {
    case 'new':
      return <Builder key="new" />;
    case 'edit':
      return <Builder key={value('edit')} code={value('edit')} />;
    case 'many':
      return <Many />;
    case 'help':
      return <Help />;
    case 'qr':
      return <QrDialog code={value('qr')} />;
    case 'codes':
      return <CodesDialog code={value('codes')} />;
    case 'share':
      return <ShareDialog code={value('share')} />;
    default:
      return null;
  }
}
