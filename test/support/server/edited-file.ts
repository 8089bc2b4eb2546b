// Preloaded into a server with NODE_OPTIONS. Replaces one source file with the test's version, as if it had been
// edited. The other files still use the compile cache, which would not work in another checkout.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { EDITED_FILE = '', EDITED_TEXT = '' } = process.env;

registerHooks({
  load(url, context, next) {
    if (!url.endsWith(EDITED_FILE)) return next(url, context);
    return { format: 'module-typescript', source: readFileSync(EDITED_TEXT, 'utf8'), shortCircuit: true };
  },
});
