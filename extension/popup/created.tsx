import type { ShortenResult } from '../../src/client/client.ts';
import { createCode, defaultStyle, scanUrl } from '../../src/qr/code.ts';
import { svgOf } from '../../src/qr/svg.ts';
import { t } from '../browser/texts.ts';
import { Copy } from '../parts/copy.tsx';

interface MadeProps {
  readonly link: ShortenResult;
  readonly isCopied: boolean;
}

/** Shows the created link with a copy button and a QR code. */
export function Made({ link: { shortUrl, destinationUrl }, isCopied }: MadeProps) {
  const drawn = svgOf(createCode(scanUrl(shortUrl), 'M'), { ...defaultStyle, size: 320 });
  const picture = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
  return (
    <div class="slip stack">
      <a class="short-url" href={shortUrl} target="_blank" rel="noreferrer">
        {shortUrl.replace(/^https?:\/\//, '')}
      </a>
      <p class="soft small cut" title={destinationUrl}>
        {destinationUrl}
      </p>
      <img class="qr" src={picture} width={160} height={160} alt={t('qrOf', shortUrl)} />
      <Copy text={shortUrl} isDone={isCopied} />
      <a class="button second wide" href={picture} download={`${shortUrl.split('/').at(-1)}.svg`}>
        {t('saveQr')}
      </a>
    </div>
  );
}
