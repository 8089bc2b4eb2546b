// Preloaded into a server with NODE_OPTIONS. Prints to standard error each package that the server loads.
import { registerHooks } from 'node:module';

const told = new Set<string>();

registerHooks({
  load(url, context, next) {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url) ?? [];
    if (name !== undefined && !told.has(name)) process.stderr.write(`loaded ${name}\n`);
    told.add(name ?? '');
    return next(url, context);
  },
});
