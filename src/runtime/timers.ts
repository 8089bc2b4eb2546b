/** How a part waits; given, so that a test decides what happens when. */
export type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setImmediate'>;
