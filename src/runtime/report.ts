/** Says something to the operator: one sentence, and facts for the log. */
export type Report = (sentence: string, facts?: Readonly<Record<string, unknown>>) => void;
