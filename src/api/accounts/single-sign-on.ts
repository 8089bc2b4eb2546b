import type { singleSignOnEndpoints } from '../../contract/accounts/single-sign-on.ts';
import type { MemberIdentity } from '../../model/accounts/own-identities.ts';
import * as identities from '../../model/accounts/own-identities.ts';
import { identityFields } from '../../model/accounts/own-identities.ts';
import * as sso from '../../model/accounts/single-sign-on.ts';
import { Failure } from '../../model/failures.ts';
import { apiRecord } from '../../model/record-fields.ts';
import { countingAttempts } from '../request/attempts.ts';
import type { ApiContext, BrowserHeaders, Handlers } from '../request/handler.ts';
import { sessionsOf } from './browser-sessions.ts';
import { startBrowserSession } from './sessions.ts';

/** Returns the configured provider. @throws Failure OIDC_REFUSED if the operator has not configured a provider */
function providerOf({ provider }: ApiContext): sso.Provider {
  if (provider !== undefined) return provider;
  throw new Failure('OIDC_REFUSED', 'No single sign-on provider is configured (OIDC_ISSUER).');
}

/** Returns the redirect URI for the provider. Ignores request headers, because clients control them. */
function returnTo({ dashboardUrl }: ApiContext): string {
  return `${dashboardUrl()}/oidc`;
}

/**
 * Returns the redirect URI if the request comes from the dashboard's origin. A sign-in that starts at another origin
 * would fail at the redirect URI, because browsers store the sign-in state per origin.
 * @throws Failure OIDC_REFUSED if the request comes from another origin
 */
function redirectUriFor(context: ApiContext, { origin }: BrowserHeaders): string {
  const redirectUri = returnTo(context);
  if (origin === undefined || origin === new URL(redirectUri).origin) return redirectUri;
  throw new Failure(
    'OIDC_REFUSED',
    `Single sign-on only works at ${context.dashboardUrl()}. Open the dashboard there.`,
  );
}

function shown(identity: MemberIdentity) {
  return apiRecord(identityFields, identity);
}

export const singleSignOnHandlers: Handlers<typeof singleSignOnEndpoints> = {
  getSignInWays: {
    async run({ context: { provider, mailer } }) {
      const singleSignOn = provider === undefined ? null : { name: provider.name };
      const data = { singleSignOn, isOnly: provider?.isOnly === true, mail: mailer !== undefined };
      return { success: true, data };
    },
  },

  getSignOutAtProvider: {
    async run({ context: { provider, dashboardUrl } }) {
      return { success: true, data: { url: (await provider?.signOut(dashboardUrl())) ?? null } };
    },
  },

  beginSingleSignOn: {
    async run({ context, browser: { headers } }) {
      const provider = providerOf(context);
      const redirectUri = redirectUriFor(context, headers);
      const isAgain = (await sessionsOf(context, headers)).length > 0;
      return { success: true, data: await sso.beginSignOn(context, provider, redirectUri, { isAgain }) };
    },
  },

  signInBySingleSignOn: {
    async run(call) {
      const { context, body } = call;
      const provider = providerOf(context);
      // Checks for sessions again: when the sign-in started, the browser may not have sent its session cookie.
      const isAgain = (await sessionsOf(context, call.browser.headers)).length > 0;
      return startBrowserSession(call, (agent) =>
        sso.signOn(context, provider, returnTo(context), { ...body, isAgain, agent }),
      );
    },
    location: () => '/api/v1/session',
  },

  listIdentities: {
    async run({ context, actor }) {
      const found = await context.storage.identitiesOf(identities.memberIdOf(actor));
      return { success: true, data: found.map(shown) };
    },
  },

  beginIdentity: {
    async run({ context, actor, browser: { headers } }) {
      const provider = providerOf(context);
      const redirectUri = redirectUriFor(context, headers);
      return { success: true, data: await identities.beginConnecting(context, provider, redirectUri, actor) };
    },
  },

  connectIdentity: {
    async run({ context, key, actor, body }) {
      const provider = providerOf(context);
      const made = await countingAttempts(context, `identities of ${key.id}`, 'OIDC_REFUSED', () =>
        identities.connect(context, provider, returnTo(context), actor, body),
      );
      return { success: true, data: shown(made) };
    },
    location: () => '/api/v1/identities',
  },

  disconnectIdentities: {
    async run({ context, actor }) {
      await identities.disconnect(context, context.provider, actor);
    },
  },
};
