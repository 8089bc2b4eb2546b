import type { Migration } from '../db/dialect.ts';
import { baseline } from './0001-baseline.ts';
import { sharesOfMore } from './0002-shares-of-more.ts';
import { golinks } from './0003-golinks.ts';
import { publicQr } from './0004-public-qr.ts';
import { codesWithoutHyphens } from './0005-codes-without-hyphens.ts';
import { excludedNetworks } from './0006-excluded-networks.ts';
import { appSchemes } from './0007-app-schemes.ts';

/** All migrations, in order. Append only: a published migration must never be edited. */
export const migrations: readonly Migration[] = [
  baseline,
  sharesOfMore,
  golinks,
  publicQr,
  codesWithoutHyphens,
  excludedNetworks,
  appSchemes,
];
