import type { Migration } from '../db/dialect.ts';

/** When certificates end, so that nobody has to read them all to see which does so first. */
export const certificateExpiry: Migration = {
  number: 36,
  name: 'certificate-expiry',
  statements: ({ integer }) => [`ALTER TABLE certificates ADD COLUMN expires_at ${integer}`],
  indexes: [{ name: 'certificates_expiry', on: 'certificates (expires_at, failures)' }],
};
