import type { Migration } from '../db/dialect.ts';

/** Adds public QR codes. */
export const publicQr: Migration = {
  number: 4,
  name: 'public-qr',
  statements: ({ integer }) => [`ALTER TABLE links ADD COLUMN public_qr ${integer} NOT NULL DEFAULT 0`],
};
