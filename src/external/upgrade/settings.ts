import { createPublicKey, type KeyObject } from 'node:crypto';
import { fail, setting } from '../../runtime/setting-values.ts';

/** Parses the URL of the release folder, and adds a trailing slash. */
function folderUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.search + url.hash !== '')
    return fail('must be the https URL of a folder, without query or fragment');
  return url.href.replace(/\/*$/, '/');
}

function publicKey(text: string): KeyObject {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32 || !/^[\w+/-]{43}=?$/.test(text))
    fail('must be an Ed25519 public key: its 32 bytes in base64');
  return createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
  });
}

/** Settings for upgrades of the standalone executable. */
export const upgradeSettings = {
  UPGRADE_URL: setting(
    'HTTPS URL of the folder with release files, for linkfold upgrade. Unset: the built-in URL, if any.',
    null,
    folderUrl,
  ),
  UPGRADE_KEY: setting(
    'Ed25519 public key, in base64, that verifies releases for linkfold upgrade. Unset: the built-in key, if any.',
    null,
    publicKey,
  ),
};
