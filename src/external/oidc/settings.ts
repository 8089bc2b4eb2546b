import { type Role, roles } from '../../model/accounts/roles.ts';
import type { GroupRule } from '../../model/accounts/single-sign-on.ts';
import { fail, flag, type Setting, setting, shortened } from '../../runtime/setting-values.ts';

function issuer(text: string): string {
  const url = URL.parse(text);
  const isHere = url !== null && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  // The URL is returned unchanged, because issuers are compared character by character.
  return isSafe && url.search + url.hash + url.username === ''
    ? text
    : fail('must be the https issuer URL of the provider, such as https://id.example.com/realms/acme');
}

/** Parses group rules. If group names contain commas, each rule must be on its own line. */
function groupRules(text: string): readonly GroupRule[] {
  return text
    .split(/[\r\n]/.test(text) ? /[\r\n]+/ : ',')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, group = '', account = '', role = ''] = /^(.+)=([^=]+):([a-z]+)$/.exec(line) ?? [];
      if (!isRole(role))
        fail(
          `contains "${shortened(line)}", which is not GROUP=ACCOUNT:ROLE, such as marketing=default:editor; roles are ${roles.join(', ')}`,
        );
      return { group: group.trim(), account: account.trim(), role };
    });
}

function isRole(word: string): word is Role {
  return (roles as readonly string[]).includes(word);
}

function scopes(text: string): string {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.includes('openid') && words.every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word))
    ? words.join(' ')
    : fail('must be scopes including openid, such as: openid profile email groups');
}

/** Settings for sign-in with OpenID Connect. */
export const oidcSettings = {
  OIDC_ISSUER: setting(
    'Issuer URL of the OpenID Connect provider for single sign-on. Unset: single sign-on is off.',
    null,
    issuer,
  ),
  OIDC_CLIENT_ID: setting('Client ID of Linkfold at OIDC_ISSUER.', null, (text) => text),
  OIDC_CLIENT_SECRET: setting(
    'Client secret for OIDC_CLIENT_ID. Unset: a public client with PKCE.',
    null,
    (text) => text,
    { secret: true },
  ),
  OIDC_NAME: setting('Display name of OIDC_ISSUER for the sign-in button. Unset: no name.', null, (text) =>
    text.length <= 40 ? text : fail('must have at most 40 characters'),
  ),
  OIDC_SCOPES: setting(
    'Scopes to request from OIDC_ISSUER. Some providers require groups.',
    'openid profile email',
    scopes,
  ),
  OIDC_GROUPS: setting(
    'Which groups get access, and with which role: GROUP=ACCOUNT:ROLE, separated by commas or line breaks. The first match applies; * matches everyone. Unset: only invited members.',
    '',
    groupRules,
    { file: true },
  ),
  OIDC_GROUPS_CLAIM: setting('Claim of OIDC_ISSUER that contains the groups.', 'groups', (text) => text),
  OIDC_ONLY: setting(
    '1 requires members to sign in through OIDC_ISSUER; API keys keep working. 0 allows other ways.',
    '0',
    flag,
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** Returns a sentence for each conflict between OpenID Connect settings. */
export function oidcProblems(values: Readonly<Record<string, unknown>>): string[] {
  const has = (name: keyof typeof oidcSettings): boolean => values[name] != null && values[name] !== false;
  if (has('OIDC_ISSUER')) return has('OIDC_CLIENT_ID') ? [] : ['OIDC_ISSUER requires OIDC_CLIENT_ID.'];
  const idle = (['OIDC_CLIENT_ID', 'OIDC_ONLY'] as const).filter(has);
  return idle.map((name) => `${name} requires OIDC_ISSUER.`);
}
