import { limitHeaders } from '../contract/envelope.ts';
import { tooMany } from '../model/accounts/limits.ts';
import { problem, refused } from '../model/failures.ts';
import { shortUrlOf } from '../model/links/codes/codes.ts';
import { createCode, defaultStyle, minPixels, minSize, scanUrl, transparent } from '../qr/code.ts';
import { pngOf } from '../qr/png.ts';
import { svgOf } from '../qr/svg.ts';
import { weightOf } from '../runtime/accept.ts';
import { couldBeCodeOn, keyOn } from './domains.ts';
import type { RedirectParts } from './parts.ts';
import { type CodePath, queryOf } from './path.ts';
import type { Visit } from './visit.ts';

/** Maximum number of QR codes per IP address per minute. */
const qrCodesPerMinute = 120;
/** Default size in pixels. `maxPublicSize` is the maximum. */
const defaultSize = 512;
const maxPublicSize = 2_048;

const suffix = '.qr';
const [svgType, pngType] = ['image/svg+xml', 'image/png'];
/**
 * Headers for the image, which is cached for only an hour. A code's image never changes, but the link's owner can make
 * it private.
 */
const headers = {
  'cache-control': 'public, max-age=3600',
  vary: 'Accept',
  'x-content-type-options': 'nosniff',
};

/**
 * Responds to `{code}.qr` with a link's QR code, if the owner has made it public. The format is SVG, or PNG if
 * requested by `format` or `Accept`.
 * @returns false, without sending a response, if the link has no public QR code; undefined for any other path
 */
export type ShowPublicQr = (visit: Visit, path: CodePath | undefined) => Promise<boolean> | undefined;

export function createShowPublicQr(parts: RedirectParts): ShowPublicQr {
  const { storage, qrCodes, baseUrl, now, outcomes, fail } = parts;

  const show = async (visit: Visit, code: string): Promise<boolean> => {
    const target = await storage.findTarget(keyOn(visit.domain, code));
    const link = target && (await storage.preview(target.row));
    if (link?.publicQr !== 1) return false;
    const address = visit.address();
    const allowance = address === undefined ? undefined : qrCodes.take(address, qrCodesPerMinute);
    if (allowance?.exceeded) {
      const text = 'Too many QR codes were requested from this address.';
      fail(visit, tooMany(allowance, now(), text), { headers: limitHeaders(allowance) });
      return true;
    }
    const [type, image] = await draw(visit, shortUrlOf(baseUrl(), link.code, link.host));
    outcomes.page += 1;
    visit.send(200, { 'content-type': type, ...headers }, image);
    return true;
  };

  return (visit, path) => {
    if (path === undefined || path.preview || !path.code.endsWith(suffix)) return undefined;
    const code = path.code.slice(0, -suffix.length);
    return couldBeCodeOn(visit.domain, code) ? show(visit, code) : undefined;
  };
}

/** Renders the QR code in the requested format and size. @throws Failure VALIDATION_ERROR */
async function draw(visit: Visit, shortUrl: string): Promise<[type: string, picture: string | Buffer]> {
  const query = new URLSearchParams(queryOf(visit.target));
  const code = createCode(scanUrl(shortUrl), 'M');
  const least = Math.max(minSize, minPixels(code, defaultStyle.margin));
  const {
    format = weightOf(visit.accept(), pngType) > weightOf(visit.accept(), svgType) ? 'png' : 'svg',
    size = `${defaultSize}`,
    background = defaultStyle.background,
  } = Object.fromEntries(query);
  const side = /^\d{1,4}$/.test(size) ? Number(size) : 0;
  const problems = [
    ...(format === 'svg' || format === 'png'
      ? []
      : [problem('format', 'unknown_value', 'format must be svg or png.')]),
    ...(side >= least && side <= maxPublicSize
      ? []
      : [problem('size', 'out_of_range', `size must be between ${least} and ${maxPublicSize}.`)]),
    ...(background === defaultStyle.background || background === transparent
      ? []
      : [problem('background', 'unknown_value', `background must be ${transparent}, or absent.`)]),
  ];
  if (problems.length > 0) throw refused(problems);
  const style = { ...defaultStyle, background };
  if (format === 'png') return [pngType, await pngOf(code, style, side)];
  return [svgType, svgOf(code, { ...style, size: side })];
}
