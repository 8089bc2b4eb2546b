import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { context } from 'esbuild';
import { buildOptions, writeBuild } from './build-dashboard.ts';

// `npm run dev`: restarts the server and rebuilds the dashboard when their sources change, and reloads the page.
// Accepts the settings and arguments of `linkfold serve`.

const root = join(import.meta.dirname, '..');

const options = buildOptions(true);
const builder = await context({
  ...options,
  plugins: [
    ...(options.plugins ?? []),
    {
      name: 'write',
      setup(build) {
        build.onEnd(async (made) => {
          const { outputFiles, metafile } = made;
          if (made.errors.length > 0 || outputFiles === undefined || metafile === undefined) return;
          await writeBuild({ outputFiles, metafile }, 1);
          console.error(`Built the dashboard (${new Date().toLocaleTimeString()}).`);
        });
      },
    },
  ],
});
await builder.watch();

const server: ChildProcess = spawn(
  process.execPath,
  ['--watch', join(root, 'src/main.ts'), 'serve', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
server.once('exit', (code) => {
  void builder.dispose().then(() => process.exit(code ?? 0));
});
