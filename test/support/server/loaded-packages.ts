// Loaded into a server by NODE_OPTIONS: prints the packages that it loads on standard error.
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
