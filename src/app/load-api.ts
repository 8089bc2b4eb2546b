import { registerHooks } from 'node:module';
import { setImmediate as tick } from 'node:timers/promises';

/**
 * Loads the API, which blocks the event loop for 0.1 s. Visitors who are already waiting are served first: the event
 * loop accepts their connections in one tick, reads their requests in the next and responds in the third.
 */
export async function loadApi() {
  for (let ticks = 0; ticks < 4; ticks += 1) await tick();
  // zod loads its messages in all languages. Loading only English saves more than half of its 60 ms, and 10 MB of
  // memory.
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(
        specifier === '../locales/index.js' && context.parentURL?.includes('/zod/')
          ? '../locales/en.js'
          : specifier,
        context,
      ),
  });
  try {
    return await import('./api.ts');
  } finally {
    hooks.deregister();
  }
}
