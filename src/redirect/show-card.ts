import type { ClickFacts } from '../domain/clicks/click-facts.ts';
import { shortUrlOf } from '../domain/links/codes.ts';
import type { Reads } from '../domain/storage.ts';
import type { LimitedLink } from './admission.ts';
import type { Outcomes } from './outcomes.ts';
import type { Brand } from './pages/brand.ts';
import { cardPage } from './pages/card.ts';
import { headersOf } from './pages/layout.ts';
import type { Visit, Way } from './visit.ts';

interface ShowCardOptions {
  readonly storage: Pick<Reads, 'preview'>;
  readonly baseUrl: () => string;
  readonly brandOf: (account: number) => Promise<Brand | undefined>;
  readonly outcomes: Outcomes;
  /** Counts the click, and then answers. */
  readonly follow: (visit: Visit, target: LimitedLink, at: number, way: Way) => void;
  readonly miss: (visit: Visit, code: string) => void;
  readonly fail: (visit: Visit, error: unknown) => void;
}

/** Answers with the card of a link that works. The visit counts as one of the same class does that is sent on. */
export function createShowCard({ storage, baseUrl, brandOf, outcomes, follow, miss, fail }: ShowCardOptions) {
  return async (
    visit: Visit,
    asked: string,
    target: LimitedLink,
    at: number,
    facts: () => ClickFacts,
  ): Promise<void> => {
    try {
      // The code as it was made: the visit may name an alias, or have other letters.
      const link = await storage.preview(target.row);
      if (link === undefined) return miss(visit, asked);
      const card = JSON.parse(target.special.card ?? '{}');
      const brand = await brandOf(target.account);
      const page = cardPage({ ...card, shortUrl: shortUrlOf(baseUrl(), link.code) }, brand);
      // Another visitor is redirected from the same address.
      const headers = { ...headersOf(brand), vary: 'User-Agent' };
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
