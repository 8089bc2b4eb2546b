import { type Role, roles } from '../model/accounts/roles.ts';
import type { GroupRule } from '../model/accounts/single-sign-on.ts';
import { fail, flag, type Setting, setting, shortened } from '../runtime/setting-values.ts';

function issuer(text: string): string {
  const url = URL.parse(text);
  const isHere = url !== null && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  // Issuers are compared exactly: nothing is added or removed.
  return isSafe && url.search + url.hash + url.username === ''
    ? text
    : fail('must be an https URL, as the provider calls itself, such as https://id.example.com/realms/acme');
}

/** Parses group rules. Group names may contain commas; then each rule is on its own line. */
function groupRules(text: string): readonly GroupRule[] {
  return text
    .split(/[\r\n]/.test(text) ? /[\r\n]+/ : ',')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, group = '', account = '', role = ''] = /^(.+)=([^=]+):([a-z]+)$/.exec(line) ?? [];
      if (!isRole(role))
        fail(
          `has "${shortened(line)}"; write GROUP=ACCOUNT:ROLE, such as marketing=default:editor; roles are ${roles.join(', ')}`,
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
    : fail('must name scopes, openid among them, such as: openid profile email groups');
}

/** Settings of sign-in with OpenID Connect. */
export const oidcSettings = {
  OIDC_ISSUER: setting(
    'Provider of OpenID Connect at which people sign in, as it calls itself. Unset: none.',
    null,
    issuer,
  ),
  OIDC_CLIENT_ID: setting('What Linkfold is called at OIDC_ISSUER.', null, (text) => text),
  OIDC_CLIENT_SECRET: setting(
    'What OIDC_CLIENT_ID proves itself by. Unset: a public client, by PKCE alone.',
    null,
    (text) => text,
    { secret: true },
  ),
  OIDC_NAME: setting(
    'What people call OIDC_ISSUER, for the button to sign in. Unset: no name.',
    null,
    (text) => (text.length <= 40 ? text : fail('must have at most 40 characters')),
  ),
  OIDC_SCOPES: setting(
    'What OIDC_ISSUER is asked for; some want groups here.',
    'openid profile email',
    scopes,
  ),
  OIDC_GROUPS: setting(
    'Who may come in, and as what: GROUP=ACCOUNT:ROLE, separated by commas, or each on a line. The first that fits counts; * is everybody. Unset: whoever is invited.',
    '',
    groupRules,
    { file: true },
  ),
  OIDC_GROUPS_CLAIM: setting('Claim in which OIDC_ISSUER tells groups.', 'groups', (text) => text),
  OIDC_ONLY: setting('1 leaves people no other way in than OIDC_ISSUER; keys go on. 0 does not.', '0', flag),
} as const satisfies Record<string, Setting<unknown>>;

/** @returns a sentence for each conflict between settings */
export function oidcProblems(values: Readonly<Record<string, unknown>>): string[] {
  const has = (name: keyof typeof oidcSettings): boolean => values[name] != null && values[name] !== false;
  if (has('OIDC_ISSUER'))
    return has('OIDC_CLIENT_ID') ? [] : ['OIDC_ISSUER needs OIDC_CLIENT_ID: what Linkfold is called there.'];
  const idle = (['OIDC_CLIENT_ID', 'OIDC_ONLY'] as const).filter(has);
  return idle.map((name) => `${name} does nothing without OIDC_ISSUER: set that too.`);
}
