import type { FileBody, QueryOf } from '../contract/endpoint.ts';
import {
  defaultQrLevel,
  defaultQrSize,
  type QrFormat,
  type qrEndpoints,
  qrTypes,
} from '../contract/links/qr.ts';
import { type Problem, problem, refused } from '../model/failures.ts';
import { shortUrlOf } from '../model/links/codes/codes.ts';
import type { Link } from '../model/links/link-records.ts';
import { getLink } from '../model/links/links.ts';
import {
  borderlessSize,
  createCode,
  defaultMillimetres,
  defaultStyle,
  minPixels,
  scanUrl,
} from '../qr/code.ts';
import { colourProblem, minContrast, ratioText } from '../qr/colours.ts';
import { pdfOf } from '../qr/pdf.ts';
import { pngOf } from '../qr/png.ts';
import { svgOf } from '../qr/svg.ts';
import { weightOf } from '../runtime/accept.ts';
import type { Handlers } from './request/handler.ts';

type QrQuery = QueryOf<typeof qrEndpoints.linkQr>;

export const qrHandlers: Handlers<typeof qrEndpoints> = {
  linkQr: {
    rules: ({ query }) => colourProblems(query),
    async run({ context, key, params, query, accept }) {
      const link = await getLink(context, key.accountId, params.id);
      return draw(
        link,
        shortUrlOf(context.baseUrl(), link.code, link.host),
        query,
        query.format ?? formatFor(accept),
      );
    },
  },
};

function colourProblems({
  color = defaultStyle.color,
  background = defaultStyle.background,
}: QrQuery): Problem[] {
  const found = colourProblem(color, background);
  if (found === undefined) return [];
  const message =
    found.kind === 'low_contrast'
      ? `color ${color} on background ${background} has a contrast of ${ratioText(found.ratio)}; it must be at least ${minContrast}:1. Use a darker color or a lighter background.`
      : `color ${color} is lighter than background ${background}, which many cameras cannot read. Swap the two.`;
  return [problem('color', 'low_contrast', message)];
}

async function draw(link: Link, shortUrl: string, query: QrQuery, format: QrFormat): Promise<FileBody> {
  const { size = defaultQrSize, level = defaultQrLevel } = query;
  const style = {
    margin: query.margin ?? defaultStyle.margin,
    color: query.color ?? defaultStyle.color,
    background: query.background ?? defaultStyle.background,
    shape: query.shape,
  };
  const code = createCode(scanUrl(shortUrl), level);
  const least = minPixels(code, style.margin);
  const { millimetres } = query;
  const isForPrint = format === 'pdf' || (format === 'svg' && millimetres !== undefined);
  if (size < least && !isForPrint) {
    const message = `size must be at least ${least}, the number of modules including the margin.`;
    throw refused([problem('size', 'out_of_range', message)]);
  }
  const drawn = format === 'png' && style.margin === 0 ? borderlessSize(code, size) : size;
  const bytes = {
    svg: () =>
      Buffer.from(
        svgOf(code, {
          ...style,
          size: millimetres ?? size,
          unit: millimetres === undefined ? undefined : 'mm',
        }),
      ),
    png: () => pngOf(code, style, drawn),
    pdf: () => Buffer.from(pdfOf(code, style, millimetres ?? defaultMillimetres)),
  };
  const name = `${encodeURIComponent(link.code)}.${format}`;
  const headers = isForPrint ? {} : { 'x-qr-size': String(drawn) };
  return { type: qrTypes[format], name, headers, bytes: await bytes[format]() };
}

/** Returns PNG if the `Accept` header prefers PNG to SVG, else SVG. */
function formatFor(accept: string): QrFormat {
  return weightOf(accept, qrTypes.png) > weightOf(accept, qrTypes.svg) ? 'png' : 'svg';
}
