import type { Configuration, CustomFetch, IDToken, UserInfoResponse } from 'openid-client';
import type { Claims, GroupRule, Provider } from '../../model/accounts/single-sign-on.ts';
import { Failure } from '../../model/failures.ts';
import { deceptiveCharacters } from '../../model/names.ts';
import { readAllowed } from '../outbound/allowed.ts';
import { OutboundFailure } from '../outbound/failure.ts';
import { createOutbound } from '../outbound/outbound.ts';

/** OpenID Connect settings. */
export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly name: string | null;
  readonly isOnly: boolean;
  readonly scopes: string;
  readonly groups: readonly GroupRule[];
  readonly groupsClaim: string;
  /** Destinations allowed in addition to the public internet (OUTBOUND_ALLOW). */
  readonly allowed: ReturnType<typeof readAllowed>;
  readonly now: () => number;
  /** Called with the reason why a sign-in was rejected, without secrets. */
  readonly onRefused: (reason: string) => void;
}

/** Milliseconds for which the provider's metadata is cached. */
const configuredMs = 3_600_000;
const clockToleranceSeconds = 30;
const maxSubjectLength = 255;

// openid-client is loaded on demand, because few installations need it, and none needs it at startup.
const load = () => import('openid-client');

/**
 * Creates the OpenID Connect provider. It uses the authorization code flow with PKCE, state and nonce, and verifies ID
 * token signatures.
 */
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
          // Both parameters are sent, because some providers support only one of them.
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
          // With `maxAge`, the ID token must prove a recent sign-in (`auth_time`), even if the provider ignored the
          // parameters that request one.
          ...(since !== undefined && { maxAge: Math.max(0, Math.ceil((options.now() - since) / 1_000)) }),
        });
        const proven = tokens.claims();
        if (proven === undefined) throw new Error('the response has no ID token');
        requireOurs(proven, options);
        const hasAllClaims = ['name', 'email', options.groupsClaim].every((claim) => claim in proven);
        const asks = !hasAllClaims && config.serverMetadata().userinfo_endpoint !== undefined;
        const userInfo = asks ? await fetchUserInfo(config, tokens.access_token, proven.sub) : undefined;
        return claimsOf(
          proven.iss,
          [proven, ...(userInfo === undefined ? [] : [userInfo])],
          options.groupsClaim,
        );
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
        // The ID token is not stored, so it cannot be sent. The provider therefore asks the user for confirmation.
        return buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
      } catch (error) {
        onRefused(reasonOf(error));
        return null;
      }
    },
  };
}

/** Creates a function that loads the provider's metadata on demand, once for all concurrent requests. */
function createConfigure(options: ProviderOptions): () => Promise<Configuration> {
  const { issuer, clientId, clientSecret, now } = options;
  const reach = guardedFetch(options);
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
        // Requests over http are allowed only if the issuer's URL uses http. The settings accept such an issuer only on
        // this machine.
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

/**
 * Returns a restricted `fetch`. The operator configured the provider's host, so this host may have a private address.
 * Other hosts in the provider's metadata may not.
 */
function guardedFetch({ issuer, allowed }: ProviderOptions): CustomFetch {
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
      throw new OutboundFailure('broken', `${new URL(url).host} returned status ${answer.status}`);
    const { 'content-encoding': _unpacked, ...rest } = answer.headers;
    return new Response(answer.body.length === 0 ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: rest,
    });
  };
}

/**
 * Performs the checks that openid-client does not.
 * @throws Error for a token that was issued to another client, or that was issued in the future
 */
function requireOurs(token: IDToken, { clientId, now }: ProviderOptions): void {
  if (token.azp !== undefined && token.azp !== clientId) throw new Error('azp contains another client ID');
  const latest = now() / 1_000 + clockToleranceSeconds;
  if (token.iat > latest || (token.auth_time ?? 0) > latest)
    throw new Error('iat or auth_time is in the future');
}

/**
 * Returns the user's claims.
 * @param sources the ID token, then the UserInfo response; the first one that has a claim wins
 */
function claimsOf(
  issuer: string,
  sources: readonly Partial<UserInfoResponse>[],
  groupsClaim: string,
): Claims {
  const find = (claim: string): unknown =>
    sources.map((one) => one[claim]).find((value) => value !== undefined);
  const subject = sources[0]?.sub ?? '';
  if (subject === '' || subject.length > maxSubjectLength)
    throw new Error('the subject is empty or too long');
  // `email` and `email_verified` must come from the same source.
  const { email, email_verified: isVerified } = sources.find((one) => one.email !== undefined) ?? {};
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

/** Returns the display name, which is the first candidate that is not empty after control characters are removed. */
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

/** Returns the reason for a failure, for the operator, without any sent or received data. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof OutboundFailure) return error.message;
  if (isUnreachable(error.cause)) return reasonOf(error.cause);
  const { code, error: said } = error as { code?: unknown; error?: unknown };
  const words = [error.message, code, said].filter((one) => typeof one === 'string' && one !== '');
  return [...new Set(words)].join(', ').slice(0, 300);
}
