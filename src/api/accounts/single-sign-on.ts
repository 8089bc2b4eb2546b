import type { singleSignOnEndpoints } from '../../contract/accounts/single-sign-on.ts';
import * as sso from '../../model/accounts/single-sign-on.ts';
import { Failure } from '../../model/failures.ts';
import type { ApiContext, Handlers } from '../request/handler.ts';
import { givesSession } from './sessions.ts';

/** @throws Failure OIDC_REFUSED where the operator has named none */
function providerOf({ provider }: ApiContext): sso.Provider {
  if (provider !== undefined) return provider;
  throw new Failure('OIDC_REFUSED', 'No provider is set up here at which people sign in (OIDC_ISSUER).');
}

/** Where the provider sends the browser back to: one address, by the settings and never by the request. */
function returnTo({ dashboardUrl }: ApiContext): string {
  return `${dashboardUrl()}/oidc`;
}

export const singleSignOnHandlers: Handlers<typeof singleSignOnEndpoints> = {
  getSignInWays: {
    async run({ context: { provider } }) {
      const singleSignOn = provider === undefined ? null : { name: provider.name };
      return { success: true, data: { singleSignOn, isOnly: provider?.isOnly === true } };
    },
  },

  beginSingleSignOn: {
    async run({ context, browser: { headers } }) {
      const provider = providerOf(context);
      const place = returnTo(context);
      const own = new URL(place);
      // The browser comes back to that origin, where a page of another one has left nothing.
      if (headers.origin !== undefined && headers.origin !== own.origin)
        throw new Failure(
          'OIDC_REFUSED',
          `Open the dashboard at ${context.dashboardUrl()} to sign in like this.`,
        );
      return { success: true, data: await sso.beginSignOn(context, provider, place) };
    },
  },

  signInBySingleSignOn: {
    async run(call) {
      const { context, body } = call;
      const provider = providerOf(context);
      return givesSession(call, (agent) =>
        sso.signOn(context, provider, returnTo(context), { ...body, agent }),
      );
    },
    location: () => '/api/v1/session',
  },
};
