/** The timers that a component uses; injected, so that tests control time. */
export type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setImmediate'>;
