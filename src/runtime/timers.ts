/** Timers that a component uses. They are injected, so that tests control the time. */
export type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setImmediate'>;
