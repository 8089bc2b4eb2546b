import type { singleSignOnEndpoints } from '../../contract/accounts/single-sign-on.ts';
import * as sso from '../../model/accounts/single-sign-on.ts';
import type { MemberIdentity } from '../../model/accounts/ways-in.ts';
import * as ways from '../../model/accounts/ways-in.ts';
import { Failure } from '../../model/failures.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { countingAttempts } from '../request/attempts.ts';
import type { ApiContext, BrowserHeaders, Handlers } from '../request/handler.ts';
import { sessionsOf } from './browser-sessions.ts';
import { givesSession } from './sessions.ts';

/** @throws Failure OIDC_REFUSED where the operator has named none */
function providerOf({ provider }: ApiContext): sso.Provider {
  if (provider !== undefined) return provider;
  throw new Failure('OIDC_REFUSED', 'No single sign-on provider is configured (OIDC_ISSUER).');
}

/** Where the provider sends the browser back to: one address, by the settings and never by the request. */
function returnTo({ dashboardUrl }: ApiContext): string {
  return `${dashboardUrl()}/oidc`;
}

/**
 * Where the browser that begins comes back to: to its own origin, as a page of another one has left nothing there.
 * @throws Failure OIDC_REFUSED
 */
function placeFor(context: ApiContext, { origin }: BrowserHeaders): string {
  const place = returnTo(context);
  if (origin === undefined || origin === new URL(place).origin) return place;
  throw new Failure('OIDC_REFUSED', `Open the dashboard at ${context.dashboardUrl()} to sign in this way.`);
}

function shown({ issuer, isByGroup, createdAt, lastUsedAt }: MemberIdentity) {
  return {
    issuer,
    isByGroup,
    createdAt: formatTimestamp(createdAt),
    lastUsedAt: formatTimestamp(lastUsedAt),
  };
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
      const place = placeFor(context, headers);
      const isAgain = (await sessionsOf(context, headers)).length > 0;
      return { success: true, data: await sso.beginSignOn(context, provider, place, { isAgain }) };
    },
  },

  signInBySingleSignOn: {
    async run(call) {
      const { context, body } = call;
      const provider = providerOf(context);
      // Also where it began without its cookie.
      const isAgain = (await sessionsOf(context, call.browser.headers)).length > 0;
      return givesSession(call, (agent) =>
        sso.signOn(context, provider, returnTo(context), { ...body, isAgain, agent }),
      );
    },
    location: () => '/api/v1/session',
  },

  listIdentities: {
    async run({ context, actor }) {
      return { success: true, data: (await ways.ownIdentities(context, actor)).map(shown) };
    },
  },

  beginIdentity: {
    async run({ context, actor, browser: { headers } }) {
      const provider = providerOf(context);
      const place = placeFor(context, headers);
      return { success: true, data: await ways.beginConnecting(context, provider, place, actor) };
    },
  },

  connectIdentity: {
    async run({ context, key, actor, body }) {
      const provider = providerOf(context);
      const made = await countingAttempts(context, `identities of ${key.id}`, 'OIDC_REFUSED', () =>
        ways.connect(context, provider, returnTo(context), actor, body),
      );
      return { success: true, data: shown(made) };
    },
    location: () => '/api/v1/identities',
  },

  disconnectIdentities: {
    async run({ context, actor }) {
      await ways.disconnect(context, context.provider, actor);
      return undefined;
    },
  },
};
