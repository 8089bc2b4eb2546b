import type { Configuration, CustomFetch, IDToken, UserInfoResponse } from 'openid-client';
import type { Claims, GroupRule, Provider } from '../model/accounts/single-sign-on.ts';
import { Failure } from '../model/failures.ts';
import { deceptiveCharacters } from '../model/names.ts';
import { readAllowed } from '../outbound/allowed.ts';
import { OutboundFailure } from '../outbound/failure.ts';
import { createOutbound } from '../outbound/outbound.ts';

/** How the provider is reached, by the settings of these names. */
export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly name: string | null;
  readonly isOnly: boolean;
  readonly scopes: string;
  readonly groups: readonly GroupRule[];
  readonly groupsClaim: string;
  /** What else the operator lets requests reach, as in OUTBOUND_ALLOW. */
  readonly allowed: ReturnType<typeof readAllowed>;
  readonly now: () => number;
  /** Told why somebody did not get in, in words without secrets. */
  readonly onRefused: (reason: string) => void;
}

/** How long what the provider says of itself is believed, ms. */
const configuredMs = 3_600_000;
const clockToleranceSeconds = 30;
const longestSubject = 255;

// Few installations need the package, and none in its first moment.
const load = () => import('openid-client');

/** The provider at which people sign in: code flow with PKCE, state and nonce; its signatures are checked. */
export function createProvider(options: ProviderOptions): Provider {
  const { name, isOnly, groups, onRefused } = options;
  const configure = createConfigure(options);
  return {
    name,
    isOnly,
    groups,

    async begin(returnTo, { state, nonce, verifier }, isAgain) {
      try {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await load();
        const url = buildAuthorizationUrl(await configure(), {
          redirect_uri: returnTo,
          scope: options.scopes,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          // Some providers know only one of the two.
          ...(isAgain && { prompt: 'login', max_age: '0' }),
        });
        return url.href;
      } catch (error) {
        onRefused(reasonOf(error));
        throw new Failure('OIDC_UNAVAILABLE');
      }
    },

    async finish(returnTo, answer, { state, nonce, verifier }, since) {
      try {
        const { authorizationCodeGrant, fetchUserInfo } = await load();
        const config = await configure();
        const came = new URL(returnTo);
        came.search = answer;
        const tokens = await authorizationCodeGrant(config, came, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          // The ID token has to say so then (`auth_time`), whatever the provider was asked for.
          ...(since !== undefined && { maxAge: Math.max(0, Math.ceil((options.now() - since) / 1_000)) }),
        });
        const proven = tokens.claims();
        if (proven === undefined) throw new Error('no ID token');
        requireOurs(proven, options);
        const isWhole = ['name', 'email', options.groupsClaim].every((claim) => claim in proven);
        const asks = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined;
        const told = asks ? await fetchUserInfo(config, tokens.access_token, proven.sub) : undefined;
        return claimsOf(proven.iss, [proven, ...(told === undefined ? [] : [told])], options.groupsClaim);
      } catch (error) {
        onRefused(reasonOf(error));
        throw new Failure(isUnreachable(error) ? 'OIDC_UNAVAILABLE' : 'OIDC_REFUSED');
      }
    },

    async signOut(returnTo) {
      try {
        const config = await configure();
        if (config.serverMetadata().end_session_endpoint === undefined) return null;
        const { buildEndSessionUrl } = await load();
        // Without the ID token, which is not kept, the provider asks the person whether they mean it.
        return buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
      } catch (error) {
        onRefused(reasonOf(error));
        return null;
      }
    },
  };
}

/** What the provider says of itself: asked for when it is needed, once for all that wait. */
function createConfigure(options: ProviderOptions): () => Promise<Configuration> {
  const { issuer, clientId, clientSecret, now } = options;
  const reach = reachOf(options);
  let known: { readonly asked: Promise<Configuration>; readonly at: number } | undefined;
  const ask = async (): Promise<Configuration> => {
    const client = await load();
    const prove: ReturnType<typeof client.None> = (server, ...rest) => {
      const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const way =
        clientSecret === null
          ? client.None()
          : ways.includes('client_secret_basic')
            ? client.ClientSecretBasic(clientSecret)
            : client.ClientSecretPost(clientSecret);
      return way(server, ...rest);
    };
    const config = await client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      prove,
      {
        [client.customFetch]: reach,
        // The issuer is https, or on this machine.
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    return config;
  };
  return () => {
    if (known === undefined || now() - known.at > configuredMs || now() < known.at) {
      const asked = ask();
      const mine = { asked, at: now() };
      known = mine;
      asked.catch(() => {
        if (known === mine) known = undefined;
      });
    }
    return known.asked;
  };
}

/** Requests to the provider: the operator named its host, so that may be private; what it names in addition to may not. */
function reachOf({ issuer, allowed }: ProviderOptions): CustomFetch {
  const own = readAllowed(new URL(issuer).hostname);
  const outbound = createOutbound({
    allowed: {
      host: (host) => own.host(host) || allowed.host(host),
      address: (address) => own.namesAddress(address) || allowed.address(address),
      namesAddress: (address) => own.namesAddress(address) || allowed.namesAddress(address),
    },
  });
  return async (url, { method, headers, body }) => {
    const answer = await outbound.request(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body != null && { body: String(body) }),
      maxBytes: 1_000_000,
      totalMs: 10_000,
    });
    if (String(answer.status).startsWith('5'))
      throw new OutboundFailure('broken', `${new URL(url).host} answers with status ${answer.status}`);
    const { 'content-encoding': _unpacked, ...rest } = answer.headers;
    return new Response(answer.body.length === 0 ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: rest,
    });
  };
}

/** Checks what the package leaves out. @throws Error for a token that another client asked for, or that is of the future */
function requireOurs(token: IDToken, { clientId, now }: ProviderOptions): void {
  if (token.azp !== undefined && token.azp !== clientId) throw new Error('azp names another client');
  const latest = now() / 1_000 + clockToleranceSeconds;
  if (token.iat > latest || (token.auth_time ?? 0) > latest)
    throw new Error('iat or auth_time is in the future');
}

/** @param told the ID token, and what else was asked for: what stands in the first counts */
function claimsOf(issuer: string, told: readonly Partial<UserInfoResponse>[], groupsClaim: string): Claims {
  const find = (claim: string): unknown => told.map((one) => one[claim]).find((value) => value !== undefined);
  const subject = told[0]?.sub ?? '';
  if (subject === '' || subject.length > longestSubject) throw new Error('the subject has no proper length');
  // An address and whether it is verified belong together.
  const { email, email_verified: isVerified } = told.find((one) => one.email !== undefined) ?? {};
  const groups = find(groupsClaim);
  return {
    issuer,
    subject,
    name: nameIn([find('name'), find('preferred_username'), email, subject]),
    email: isVerified === true && isShortText(email) ? email : null,
    groups: [groups].flat().filter((group) => typeof group === 'string'),
  };
}

function isShortText(text: unknown): text is string {
  return typeof text === 'string' && text.length <= 254;
}

/** What the person is called: the first that is a name once nothing in it steers a terminal or a line. */
function nameIn(candidates: readonly unknown[]): string {
  const [name = 'Somebody'] = candidates
    .filter((one) => typeof one === 'string')
    .map((one) => one.toWellFormed().replaceAll(deceptiveCharacters, ' ').replace(/ {2,}/g, ' ').trim())
    .filter((one) => one !== '')
    .map((one) => one.slice(0, 100).toWellFormed().trim());
  return name;
}

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && (error instanceof OutboundFailure || isUnreachable(error.cause));
}

/** What went wrong, for the operator: no part of what was sent, or came. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof OutboundFailure) return error.message;
  if (isUnreachable(error.cause)) return reasonOf(error.cause);
  const { code, error: said } = error as { code?: unknown; error?: unknown };
  const words = [error.message, code, said].filter((one) => typeof one === 'string' && one !== '');
  return [...new Set(words)].join(', ').slice(0, 300);
}
