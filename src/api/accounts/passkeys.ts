import type { passkeyEndpoints } from '../../contract/accounts/passkeys.ts';
import { requireNewSession, requireRecentAuth } from '../../model/accounts/authority.ts';
import * as passkeys from '../../model/accounts/passkeys.ts';
import { Failure } from '../../model/failures.ts';
import { apiRecord } from '../../model/record-fields.ts';
import { countingAttempts } from '../request/attempts.ts';
import type { ApiContext, Handlers } from '../request/handler.ts';
import { requireOtherWays, type SessionCall, startBrowserSession } from './sessions.ts';

function shown(passkey: passkeys.Passkey) {
  return apiRecord(passkeys.passkeyFields, passkey);
}

/**
 * Returns the relying party for a WebAuthn ceremony: the dashboard's host, or `localhost` if the page is on `localhost`
 * and the dashboard's host is a loopback address.
 * @throws Failure PASSKEY_REFUSED if the dashboard's host is an IP address and the page is not on `localhost`
 */
function relyingPartyOf(
  { dashboardUrl }: ApiContext,
  { headers: { origin } }: SessionCall['browser'],
): passkeys.RelyingParty {
  const own = new URL(dashboardUrl());
  const page = origin === undefined ? null : URL.parse(origin);
  const isHere =
    page?.hostname === 'localhost' && page.port === own.port && /^(?:127\.|\[::1\])/.test(own.hostname);
  const { hostname: host, origin: at } = isHere && page !== null ? page : own;
  if (/^[\d.]+$|^\[/.test(host))
    throw new Failure(
      'PASSKEY_REFUSED',
      'Passkeys require a host name instead of an IP address. Set BASE_URL, or open the dashboard at http://localhost on this machine.',
    );
  return { host, origin: at };
}

export const passkeyHandlers: Handlers<typeof passkeyEndpoints> = {
  listPasskeys: {
    async run({ context, key }) {
      const found = await context.storage.credentials(passkeys.requireMember(key).id);
      return { success: true, data: found.map(shown) };
    },
  },

  beginPasskey: {
    async run({ context, key, actor, browser }) {
      requireOtherWays(context);
      requireNewSession(actor, context.now());
      const party = relyingPartyOf(context, browser);
      return { success: true, data: await passkeys.beginPasskey(context, context.ceremonies, party, key) };
    },
  },

  addPasskey: {
    async run({ context, key, actor, body, browser }) {
      const given = { name: body.name, answer: body.response };
      const party = relyingPartyOf(context, browser);
      const made = await countingAttempts(context, `new passkeys of ${key.id}`, 'PASSKEY_REFUSED', () =>
        passkeys.addPasskey(context, context.ceremonies, party, actor, given),
      );
      return { success: true, data: shown(made) };
    },
    location: () => '/api/v1/passkeys',
  },

  renamePasskey: {
    async run({ context, key, params, body }) {
      return { success: true, data: shown(await passkeys.renamePasskey(context, key, params.id, body.name)) };
    },
  },

  removePasskey: {
    async run({ context, key, actor, params }) {
      requireRecentAuth(actor, context.now());
      await passkeys.removePasskey(context, key, params.id);
    },
  },

  askForPasskey: {
    async run({ context, browser }) {
      requireOtherWays(context);
      const party = relyingPartyOf(context, browser);
      return { success: true, data: await passkeys.askForPasskey(context, context.ceremonies, party) };
    },
  },

  signInByPasskey: {
    async run(call) {
      const { context, body, browser } = call;
      requireOtherWays(context);
      const who = `passkeys of ${await passkeys.attemptNameOf(context, body.response)}`;
      return countingAttempts(context, who, 'PASSKEY_REFUSED', () =>
        startBrowserSession(call, (agent) =>
          passkeys.signInByPasskey(context, context.ceremonies, relyingPartyOf(context, browser), {
            answer: body.response,
            agent,
          }),
        ),
      );
    },
    location: () => '/api/v1/session',
  },
};
