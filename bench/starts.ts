// How long forms of the program take from the start to `ready`, in turn: node bench/starts.ts EXECUTABLE [TIMES]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [executable = 'dist/release/linkfold-linux-x64', times = '9'] = process.argv.slice(2);
const forms = {
  checkout: join(import.meta.dirname, '..', 'bin', 'linkfold'),
  'one file': resolve(executable),
};

/** @returns ms from the start to its line of the log */
async function start(program: string, folder: string): Promise<number> {
  const begun = performance.now();
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', LINKFOLD_CACHE: join(folder, 'cache') };
  const child = spawn(program, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    if (said.includes('"msg":"ready"')) break;
  }
  const ms = performance.now() - begun;
  child.kill();
  await ended;
  return ms;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

const measured: Record<string, number[]> = { checkout: [], 'one file': [] };
const folder = mkdtempSync(join(tmpdir(), 'linkfold-starts-'));
delete process.env['NODE_COMPILE_CACHE'];
try {
  // The first start of each makes a database, unpacks and compiles.
  for (let round = 0; round <= Number(times); round += 1)
    for (const [name, program] of Object.entries(forms)) {
      const ms = await start(program, join(folder, name));
      if (round === 0) tell(`${name}: first start ${Math.round(ms)} ms`);
      else measured[name]?.push(ms);
    }
} finally {
  rmSync(folder, { recursive: true });
}
for (const [name, all] of Object.entries(measured)) {
  const sorted = all.toSorted((one, other) => one - other);
  tell(
    `${name}: median ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, best ${Math.round(sorted[0] ?? 0)} ms`,
  );
}
