/** Tells the operator one sentence, with facts for the log. */
export type Report = (sentence: string, facts?: Readonly<Record<string, unknown>>) => void;
