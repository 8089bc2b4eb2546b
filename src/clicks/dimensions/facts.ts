import { type ClickClass, indexOfClass } from '../../domain/clicks.ts';
import { type Agent, longestAgent, readAgent } from './agents.ts';
import { type Campaign, longestQuery, readCampaign } from './campaigns.ts';
import { type Place, type PlaceOf, placeBy } from './countries.ts';
import { longestLanguage, readLanguage } from './languages.ts';
import { createReadReferrer, longestReferer, type Referrer } from './referrers.ts';
import { remembered } from './remembered.ts';
import type { VisitHeaders } from './visit-headers.ts';
import { type Digest, digestOf, type Salt, visitorOf } from './visitors.ts';

/** What is read of a visit. Nothing of it is kept but what {@link Facts} says. */
export interface VisitSource extends Readonly<VisitHeaders> {
  /** Of the short URL as it was visited, without `?`. */
  readonly query: string;
  /** An IPv4 address or an IPv6 network; empty when it is not known. */
  readonly address: string;
  /** What a trusted proxy says of the visitor's country; empty when there is none. */
  readonly country: string;
  /** Whether a purpose header declares that nobody looks yet. */
  readonly prefetch: boolean;
}

/** What a click says: `dimensions.ts` names each of it. */
export interface Facts {
  /** Where its class stands in `clickClasses`. */
  readonly classIndex: number;
  readonly agent: Agent;
  readonly referrer: Referrer;
  /** A place in `languages`. */
  readonly language: number;
  readonly campaign: Campaign;
  readonly place: Place;
  /** See `visitors.ts`; 0 when the visitor is not told apart. */
  readonly visitor: number;
}

export interface FactsOptions {
  /** Who follows a link, by a user agent; empty when there is none. Asked once for each. */
  readonly classOfAgent: (agent: string) => ClickClass;
  /** Of our own pages, in lower case, without port: they are no referrer. */
  readonly ownHosts: readonly string[];
  readonly placeOf: PlaceOf;
  /** Of today; undefined while there is none: then no visitor is told apart. */
  readonly salt: () => Salt | undefined;
  /** Whether visitors that opt out are not told apart. */
  readonly honoursOptOut: boolean;
}

interface KnownAgent {
  readonly classIndex: number;
  readonly agent: Agent;
  readonly digest: Digest;
}

/** Makes the function that reads what a visit says. It takes about 2 µs and never throws. */
export function createReadFacts(options: FactsOptions): (visit: VisitSource) => Facts {
  const { classOfAgent, ownHosts, placeOf, salt, honoursOptOut } = options;
  const agentOf = remembered(
    longestAgent,
    (agent): KnownAgent => ({
      classIndex: indexOfClass[classOfAgent(agent)],
      agent: readAgent(agent),
      digest: digestOf(agent),
    }),
  );
  const referrerOf = remembered(longestReferer, createReadReferrer(ownHosts));
  const languageOf = remembered(longestLanguage, readLanguage);
  const campaignOf = remembered(longestQuery, readCampaign);

  return (visit) => {
    const { classIndex, agent, digest } = agentOf(visit.agent);
    const today = visit.address === '' || (visit.optsOut && honoursOptOut) ? undefined : salt();
    return {
      classIndex: visit.prefetch ? indexOfClass.prefetch : classIndex,
      agent,
      referrer: referrerOf(visit.referer),
      language: languageOf(visit.language),
      campaign: campaignOf(visit.query),
      place: placeBy(visit.country, placeOf(visit.address)),
      visitor: today === undefined ? 0 : visitorOf(today, digest, visit.address),
    };
  };
}
