/** Reports a message to the operator, with details for the log. */
export type Report = (sentence: string, facts?: Readonly<Record<string, unknown>>) => void;
