// Given to a server by NODE_OPTIONS: one file of the program reads as a test has written it down elsewhere, as if it had been
// edited. The other files come compiled from the cache, which those of another checkout would not.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { EDITED_FILE = '', EDITED_TEXT = '' } = process.env;

registerHooks({
  load(url, context, next) {
    if (!url.endsWith(EDITED_FILE)) return next(url, context);
    return { format: 'module-typescript', source: readFileSync(EDITED_TEXT, 'utf8'), shortCircuit: true };
  },
});
