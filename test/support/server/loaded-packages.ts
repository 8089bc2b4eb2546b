// Preloaded into a server with NODE_OPTIONS. Prints to standard error each package that the server loads.
import { registerHooks } from 'node:module';

const reported = new Set<string>();

registerHooks({
  load(url, context, next) {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url) ?? [];
    if (name !== undefined && !reported.has(name)) process.stderr.write(`loaded ${name}\n`);
    reported.add(name ?? '');
    return next(url, context);
  },
});
