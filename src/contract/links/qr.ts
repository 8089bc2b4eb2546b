import * as z from 'zod';
import {
  largestMargin,
  largestSize,
  levels,
  plainLook,
  smallestSize,
  standardMargin,
} from '../../qr/code.ts';
import { endpoint } from '../endpoint.ts';
import { colour, integer } from '../fields.ts';
import { exampleLinkId } from './link-examples.ts';
import { idInPath } from './links.ts';

const qrFormats = ['svg', 'png'] as const;
export type QrFormat = (typeof qrFormats)[number];
export const qrTypes = { svg: 'image/svg+xml', png: 'image/png' } as const satisfies Record<QrFormat, string>;

export const defaultQrSize = 1024;
export const defaultQrLevel = 'M';

export const qrEndpoints = {
  linkQr: endpoint({
    method: 'GET',
    path: '/links/:id/qr',
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'Draw the QR code of a link',
    description:
      'The QR code of the short URL with `?trigger=qr`, so that scans are counted apart. As SVG, or as PNG with `format=png` or `Accept: image/png`. Colours that cameras cannot tell apart, or a light code on a dark ground, are refused.',
    query: {
      format: z
        .enum(qrFormats)
        .optional()
        .meta({ description: 'Without it `Accept` decides; SVG when that says nothing.' }),
      size: integer(smallestSize, largestSize, defaultQrSize)
        .optional()
        .describe(
          'Width and height in pixels, the margin included. An SVG can be drawn in any other. Modules are whole pixels of one size; what is left over goes to the margin. A PNG with `margin=0` has the nearest size that leaves nothing over; the header `X-QR-Size` says which.',
        ),
      margin: integer(0, largestMargin, standardMargin)
        .optional()
        .describe('The quiet zone around the code, in modules; the standard asks for 4.'),
      color: colour()
        .optional()
        .describe(
          `Of the dark modules: three or six hexadecimal digits, with or without \`#\` (in an address \`%23\`); \`${plainLook.color.slice(1)}\` unless given.`,
        ),
      background: colour()
        .optional()
        .describe(`Of all the rest; \`${plainLook.background.slice(1)}\` unless given.`),
      level: z.enum(levels).optional().meta({
        description:
          'How much may be lost before the code cannot be read: about 7, 15, 25 or 30 percent; `M` unless given. A higher level is taken where it costs nothing.',
      }),
    },
    success: {
      status: 200,
      description: 'The picture.',
      files: [qrTypes.svg, qrTypes.png],
    },
    exampleRequest: { path: `/links/${exampleLinkId}/qr?format=png&size=2048&color=1f4d41` },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
} as const;
