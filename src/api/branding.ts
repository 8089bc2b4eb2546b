import type { brandingEndpoints } from '../contract/accounts/branding.ts';
import { type Branding, logoProblem } from '../model/accounts/branding.ts';
import { type Problem, problem } from '../model/failures.ts';
import { formatOptionalTime } from '../model/timestamps.ts';
import type { ApiContext, Handlers } from './request/handler.ts';
import { locationOf, urlProblem } from './rules/link-problems.ts';

const mailAddress = /^mailto:[\w.+'*/=^`{|}~!-]{1,64}@[A-Za-z\d.-]{1,255}$/;

function contactProblem(context: ApiContext, contact: string): Problem | undefined {
  if (mailAddress.test(contact)) return undefined;
  if (/^https:/i.test(contact)) return urlProblem(context, 'contact', contact);
  const message = 'contact must be a URL such as mailto:hello@example.com or https://example.com/contact.';
  return problem('contact', 'invalid_format', message);
}

const none: Omit<Branding, 'updatedAt'> = {
  name: null,
  accent: null,
  logo: null,
  message: null,
  contact: null,
  expiredUrl: null,
};

function answer(branding: Branding | undefined) {
  const { updatedAt, ...rest } = branding ?? { ...none, updatedAt: null };
  const data = { ...rest, updatedAt: formatOptionalTime(updatedAt) };
  return { success: true as const, data };
}

export const brandingHandlers: Handlers<typeof brandingEndpoints> = {
  getBranding: {
    async run({ context, key }) {
      return answer(await context.storage.branding(key.accountId));
    },
  },

  putBranding: {
    rules: ({ context, body: { logo, contact, expiredUrl } }) =>
      [
        logo == null ? undefined : logoProblem(logo),
        contact == null ? undefined : contactProblem(context, contact),
        expiredUrl == null ? undefined : urlProblem(context, 'expiredUrl', expiredUrl),
      ].filter((problem) => problem !== undefined),
    async run({ context, key, body }) {
      const branding = {
        name: body.name?.trim() || null,
        accent: body.accent ?? null,
        logo: body.logo ?? null,
        message: body.message?.trim() || null,
        contact: body.contact?.startsWith('mailto:') ? body.contact : locationOf(context, body.contact),
        expiredUrl: locationOf(context, body.expiredUrl),
        updatedAt: context.now(),
      };
      await context.writes.putBranding(key.accountId, branding);
      return answer(branding);
    },
  },

  deleteBranding: {
    async run({ context, key }) {
      await context.writes.deleteBranding(key.accountId);
    },
  },
};
