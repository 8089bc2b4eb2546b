/** The timers that a part uses; injected, so that tests control time. */
export type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setImmediate'>;
