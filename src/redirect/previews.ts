import { jsonHeaders } from '../contract/envelope.ts';
import type { ClickFacts } from '../model/clicks/click-facts.ts';
import { shortUrlOf } from '../model/links/codes/codes.ts';
import type { Target } from '../model/links/link-records.ts';
import { usesRestOfPath } from '../rules/outcome.ts';
import type { SpecialLink } from './admission.ts';
import { cardPage } from './pages/card.ts';
import { headersOf } from './pages/layout.ts';
import { previewPage } from './pages/pages.ts';
import type { RedirectParts } from './parts.ts';
import { sendPage, textsFor, wantsJson } from './send.ts';
import type { Visit } from './visit.ts';

/**
 * Responds with a link's preview, as a page or as JSON.
 * @param code code as requested
 * @param expanded destination for this visit, if the link is a template
 */
export type ShowPreview = (visit: Visit, code: string, target: Target, expanded?: string) => Promise<void>;

export function createShowPreview(parts: RedirectParts): ShowPreview {
  const { storage, baseUrl, newRequestId, brandOf, outcomes, unknown, fail } = parts;
  return async (visit, asked, { row, account, location, special }, expanded) => {
    try {
      const link = await storage.preview(row);
      if (link === undefined) return unknown.answer(visit, asked);
      outcomes.previewed += 1;
      const isTemplate = special !== undefined && usesRestOfPath(special);
      const { code, destination, host } = link;
      if (!wantsJson(visit)) {
        const brand = await brandOf(account);
        const shown = isTemplate ? { location: expanded, template: location } : { location };
        return sendPage(visit, (t) => previewPage(t, { code, ...shown }, brand), { brand });
      }
      const data = {
        shortCode: code,
        shortUrl: shortUrlOf(baseUrl(), code, host),
        destinationUrl: destination,
        ...(isTemplate && { expandedUrl: expanded ?? null }),
      };
      visit.send(200, jsonHeaders(newRequestId()), JSON.stringify({ success: true, data }));
    } catch (error) {
      fail(visit, error);
    }
  };
}

/** Creates the function that sends a link's preview card. The function counts the visit like a redirect. */
export function createShowCard({
  storage,
  baseUrl,
  brandOf,
  outcomes,
  follow,
  unknown,
  fail,
}: RedirectParts) {
  return async (
    visit: Visit,
    asked: string,
    target: SpecialLink,
    at: number,
    facts: () => ClickFacts,
  ): Promise<void> => {
    try {
      // Reads the original code, because the visitor may have requested an alias or used different letter case.
      const link = await storage.preview(target.row);
      if (link === undefined) return unknown.answer(visit, asked);
      const card = JSON.parse(target.special.card ?? '{}');
      const brand = await brandOf(target.account);
      const shortUrl = shortUrlOf(baseUrl(), link.code, link.host);
      const page = cardPage(textsFor(visit), { ...card, shortUrl }, brand);
      // Sets `Vary`, because other visitors of the same URL get a redirect.
      const headers = { ...headersOf(brand), vary: 'User-Agent, Accept-Language' };
      const answer = (): void => {
        outcomes.previewed += 1;
        visit.send(200, headers, page);
      };
      follow(visit, target, at, { location: target.location, facts, answer });
    } catch (error) {
      fail(visit, error);
    }
  };
}
