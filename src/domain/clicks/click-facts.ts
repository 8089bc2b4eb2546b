/**
 * What a click says, each by the name of its dimension (`clicks/dimensions/dimensions.ts`): numbers are places in lists
 * that never change, words are texts; 0 and the empty text are unknown.
 */
export interface ClickFacts {
  /** Where it stands in `clickClasses`. */
  readonly class: number;
  readonly trigger: number;
  readonly country: number;
  readonly browser: number;
  readonly os: number;
  readonly device: number;
  readonly language: number;
  readonly referrerKind: number;
  /** 32 bits that tell visitors of one day apart; 0 when this one is not told apart. */
  readonly visitor: number;
  readonly region: string;
  readonly referrer: string;
  readonly utmSource: string;
  readonly utmMedium: string;
  readonly utmCampaign: string;
  readonly utmTerm: string;
  readonly utmContent: string;
  /** The rule that sent the visitor on, and the way of its split. */
  readonly rule: string;
  readonly variant: string;
}

/** Of a click of which only the class is known. */
export function unknownFacts(classIndex: number): ClickFacts {
  return {
    ...{ class: classIndex, trigger: 0, country: 0, browser: 0, os: 0, device: 0, language: 0 },
    ...{ referrerKind: 0, visitor: 0, region: '', referrer: '' },
    ...{ utmSource: '', utmMedium: '', utmCampaign: '', utmTerm: '', utmContent: '' },
    ...{ rule: '', variant: '' },
  };
}

/** The same in words, by the names of the dimensions; the empty text is unknown. */
export type DimensionValues = Readonly<Record<Exclude<keyof ClickFacts, 'visitor'>, string>>;
