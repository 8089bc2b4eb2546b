import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/files/temporary.ts';

const script = join(import.meta.dirname, '../../scripts/advisories.ts');
const advisory = {
  id: 1,
  url: 'https://advisories.example/1',
  title: 'A known defect',
  severity: 'high',
  vulnerable_versions: '>=1.0.0',
  cwe: [],
  cvss: { score: 0, vectorString: null },
};

test("npm run advisories reports the registry's advisories, or that it offers none", async () => {
  const cases = [
    [
      200,
      { nodemailer: [advisory] },
      1,
      /high: nodemailer .*A known defect https:\/\/advisories\.example\/1/,
    ],
    [200, {}, 0, /No known advisories/],
    [405, {}, 2, /Could not check advisories: .*405/],
  ] as const;
  for (const [status, body, exitCode, said] of cases) {
    const registry = createServer(({ method }, response) => {
      response.writeHead(method === 'POST' ? status : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const { port } = registry.address() as AddressInfo;
    const npm = {
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: temporaryFolder('advisories'),
    };
    const env = { ...process.env, ...npm };
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
      execFile(process.execPath, [script], { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });
    registry.close();
    registry.closeAllConnections();
    assert.deepEqual([code, said.test(output)], [exitCode, true], output);
  }
});
