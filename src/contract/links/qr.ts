import * as z from 'zod';
import {
  defaultMillimetres,
  defaultStyle,
  levels,
  maxMargin,
  maxMillimetres,
  maxSize,
  minMillimetres,
  minSize,
  shapes,
  standardMargin,
  transparent,
} from '../../qr/code.ts';
import { endpoint } from '../endpoint.ts';
import { colour, integer } from '../fields.ts';
import { exampleLinkId } from './link-examples.ts';
import { idInPath } from './links.ts';

const qrFormats = ['svg', 'png', 'pdf'] as const;
export type QrFormat = (typeof qrFormats)[number];
export const qrTypes = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
} as const satisfies Record<QrFormat, string>;

export const defaultQrSize = 1024;
export const defaultQrLevel = 'M';

export const qrEndpoints = {
  linkQr: endpoint('GET', '/links/:id/qr', {
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    summary: 'Get a QR code',
    description:
      'Returns the QR code of the short URL with `?trigger=qr`, so that scans are counted separately. The format is SVG, PNG (`format=png` or `Accept: image/png`) or PDF (`format=pdf`). Colors with too little contrast and light codes on a dark background are rejected because cameras cannot read them.',
    query: {
      format: z
        .enum(qrFormats)
        .optional()
        .meta({ description: 'File format. Default: based on the `Accept` header, otherwise SVG.' }),
      size: integer(minSize, maxSize, defaultQrSize)
        .optional()
        .describe(
          'Width and height in pixels, including the margin. SVG can be scaled to any size. All modules have the same size in pixels; remaining pixels are added to the margin. A PNG with `margin=0` gets the nearest size without a remainder, which the `X-QR-Size` header returns.',
        ),
      millimetres: integer(minMillimetres, maxMillimetres, defaultMillimetres)
        .optional()
        .describe('Width and height for print, for PDF, or for SVG instead of `size`. Not for PNG.'),
      shape: z.enum(shapes).optional().meta({
        description: 'Shape of the modules. Default: `square`. Finder patterns are always square.',
      }),
      margin: integer(0, maxMargin, standardMargin)
        .optional()
        .describe('Quiet zone around the code, in modules. The standard requires 4.'),
      color: colour()
        .optional()
        .describe(
          `Color of the dark modules: 3 or 6 hex digits, with or without \`#\` (\`%23\` in URLs). Default: \`${defaultStyle.color.slice(1)}\`.`,
        ),
      background: colour(transparent)
        .optional()
        .describe(
          `Color of the background, or \`${transparent}\`. Default: \`${defaultStyle.background.slice(1)}\`.`,
        ),
      level: z.enum(levels).optional().meta({
        description:
          'Error correction level: up to about 7, 15, 25 or 30 percent of the code can be damaged. Default: `M`. A higher level is used if it does not make the code larger.',
      }),
    },
    success: {
      status: 200,
      description: 'The image.',
      files: [qrTypes.svg, qrTypes.png, qrTypes.pdf],
    },
    exampleRequest: { path: `/links/${exampleLinkId}/qr?format=png&size=2048&color=1f4d41` },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
} as const;
