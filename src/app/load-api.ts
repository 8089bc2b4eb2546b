import { registerHooks } from 'node:module';
import { setImmediate as tick } from 'node:timers/promises';

/**
 * Loads the API, which takes a tenth of a second during which nothing else runs. Visitors waiting for the port are
 * answered before: the event loop accepts their connections in one tick, reads in the next, answers in a third.
 */
export async function loadApi() {
  for (let ticks = 0; ticks < 4; ticks += 1) await tick();
  // Of the languages in which zod has messages, and which it loads with everything else, only English is asked for: the others are
  // more than half of zod's 60 ms, and 10 MB for as long as the process lives.
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
