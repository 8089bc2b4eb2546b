import { useEffect, useState } from 'preact/hooks';
import type { GetLinkByCodeResult } from '../../src/client/client.ts';
import { pdfOf } from '../../src/qr/pdf.ts';
import { closeDialog } from '../browser/location.ts';
import { saveFile } from '../browser/save-file.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { Slip } from '../components/pieces.tsx';
import { Failure } from '../components/states.tsx';
import { findLink } from '../data/links/find.ts';
import { Controls } from './controls.tsx';
import { addressOf, pngOf } from './images.ts';
import { PresetMenu } from './preset-menu.tsx';
import { contrastIn, draw, isDrawable, keepStyle, lastStyle, lookOf, pixelsOf, type Style } from './style.ts';
import { t } from './texts.ts';

/**
 * Dialog that shows a link's QR code as it will be printed. Saving is disabled if cameras cannot distinguish the code's
 * colors.
 */
export function QrDialog({ code }: { readonly code: string }) {
  const [link, setLink] = useState<GetLinkByCodeResult>();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    findLink(code).then(setLink, setError);
  };
  useEffect(load, [code]);
  if (link !== undefined) return <Designer link={link} />;
  return (
    <Dialog title={t.qr.title} width="64rem" onClose={close}>
      <div class="qr-waiting">
        {error !== undefined && <Failure title={t.linkFailed} error={error} onRetry={load} />}
      </div>
    </Dialog>
  );
}

function close(): void {
  void closeDialog();
}

function Designer({ link }: { readonly link: GetLinkByCodeResult }) {
  const [style, setStyle] = useState(lastStyle);
  const [copied, setCopied] = useState(false);
  const { qr } = t;
  const change = (changes: Partial<Style>) => {
    const next = { ...style, ...changes };
    setStyle(next);
    keepStyle(next);
  };
  const pixels = pixelsOf(style);
  const drawing = draw(link.shortUrl, style, isDrawable(pixels) ? pixels : 1024);
  const { ratio, problem } = contrastIn(style);
  useEffect(() => setCopied(false), [drawing.svg]);

  const why =
    problem === 'low_contrast'
      ? qr.lowContrast(ratio)
      : problem === 'light_on_dark'
        ? qr.lightOnDark
        : undefined;
  const whyNoPng = why ?? (isDrawable(pixels) ? undefined : qr.sizeWrong);
  const saveSvg = () => {
    if (why === undefined) saveFile(`${link.shortCode}.svg`, 'image/svg+xml', drawing.svg);
  };
  const isPlain = style.logo === undefined && !style.hasCaption && !style.hasFrame;
  const savePdf = () =>
    saveFile(
      `${link.shortCode}.pdf`,
      'application/pdf',
      pdfOf(drawing.code, lookOf(style), style.millimetres),
    );
  const savePng = async () =>
    saveFile(`${link.shortCode}.png`, 'image/png', await pngOf(drawing, style, pixels));
  const copy = async () => {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(drawing, style, pixels) })]);
    setCopied(true);
  };

  return (
    <Dialog
      title={qr.title}
      aside={link.shortUrl.replace(/^https?:\/\//, '')}
      width="64rem"
      class="qr-dialog"
      onClose={close}
      onSubmit={saveSvg}
      tools={<PresetMenu style={style} onChange={change} />}
      foot={
        <>
          <Button icon={copied ? 'check' : 'copy'} disabledReason={whyNoPng} onClick={() => void copy()}>
            {copied ? qr.copied : qr.copy}
          </Button>
          <Button icon="download" disabledReason={whyNoPng} onClick={() => void savePng()}>
            {qr.png}
          </Button>
          <Button
            icon="download"
            disabledReason={why ?? (isPlain ? undefined : qr.pdfPlain)}
            onClick={savePdf}
          >
            {qr.pdf}
          </Button>
          <Button kind="primary" icon="download" keys="mod+enter" disabledReason={why} onClick={saveSvg}>
            {qr.svg}
          </Button>
        </>
      }
    >
      <div class="qr-designer">
        <Controls style={style} caption={link.shortUrl.replace(/^https?:\/\//, '')} onChange={change} />
        <div class="qr-stage">
          <Slip class="qr-sheet">
            <img src={addressOf(drawing.svg)} alt={qr.picture(link.shortUrl)} />
          </Slip>
          <div role="status">
            <ul class="qr-checks">
              <li class={why === undefined ? '' : 'bad'}>
                <Icon name={why === undefined ? 'check' : 'alert'} /> {why ?? qr.contrast(ratio)}
              </li>
              <li class="soft">
                <Icon name="qr" /> {qr.counted}
              </li>
              {link.publicQr && (
                <li class="soft">
                  <Icon name="globe" /> {qr.publicAt(`${link.shortUrl.replace(/^https?:\/\//, '')}.qr`)}
                </li>
              )}
            </ul>
          </div>
        </div>
      </div>
    </Dialog>
  );
}
