import assert from 'node:assert/strict';
import { test } from 'node:test';
import { words } from '../../../test/support/words.ts';
import { settings } from '../../config.ts';
import { strayVariables } from './stray-variables.ts';

test('reports names similar to a setting', () => {
  for (const [name, meant] of [
    ['BASEURL', 'BASE_URL'],
    ['PROT', 'PORT'],
    ['HSOT', 'HOST'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['base_url', 'BASE_URL'],
    ['BASE_URI', 'BASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['DATA_DRI', 'DATA_DIR'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['DATABASE_URLFILE', 'DATABASE_URL_FILE'],
    ['LINKFOLD_PORT', 'PORT'],
    ['LINKFOLD_DATA_DIR', 'DATA_DIR'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['TRUST_PROXIE', 'TRUST_PROXY'],
    ['SHUTDOWN_DELAYS', 'SHUTDOWN_DELAY'],
    ['MAX_CONECTION', 'MAX_CONNECTIONS'],
  ] as const) {
    assert.deepEqual(strayVariables({ [name]: 'x' }), [`${name} is not a setting: did you mean ${meant}?`]);
  }
});

test("ignores other programs' variables", () => {
  const ours = Object.keys(settings).flatMap((name) => [name, `${name}_FILE`]);
  const others = words(`
    HOME HOSTNAME POST PATH USER SHELL LANG TERM PWD EDITOR TMPDIR MAIL NODE_ENV NODE_OPTIONS
    NODE_COMPILE_CACHE MALLOC_ARENA_MAX MALLOC_MMAP_THRESHOLD_ NO_COLOR NOTIFY_SOCKET XDG_DATA_DIRS
    XDG_DATA_HOME LOGNAME DISPLAY PORTS KUBERNETES_PORT npm_config_port OTEL_SERVICE_NAME PGHOST PGPORT
    POSTGRES_URL REDIS_URL SSH_CONNECTION METRICS_PATH LINKFOLD_URL LINKFOLD_API_KEY LINKFOLD_API_KEY_FILE
    LINKFOLD_SERVICE_HOST
  `);
  const withFile = ours.filter(
    (name) => !name.endsWith('_FILE') || Object.hasOwn(settings, name.slice(0, -5)),
  );
  const known = withFile.filter((name) => Object.hasOwn(settings, name));
  for (const name of [...known, ...others]) assert.deepEqual(strayVariables({ [name]: 'x' }), [], name);
  // A Kubernetes variable for a service named `linkfold`, an empty variable, and a name longer than any setting.
  assert.deepEqual(
    strayVariables({ LINKFOLD_PORT: 'tcp://10.0.0.1:80', BASEURL: '', ['X'.repeat(1e6)]: 'x' }),
    [],
  );
});

test('reports `_FILE` for a setting that cannot be read from a file', () => {
  assert.deepEqual(strayVariables({ BASE_URL_FILE: '/run/secrets/x' }), [
    'BASE_URL_FILE is not a setting: BASE_URL does not support the _FILE suffix.',
  ]);
});
