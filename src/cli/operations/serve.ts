import type { Command } from 'commander';
import { addCommand } from '../terminal/command.ts';
import { Stop } from '../terminal/exits.ts';
import { serve } from '../terminal/local.ts';

export function addServe(program: Command): void {
  addCommand(
    program,
    'serve',
    'Run the server until SIGINT or SIGTERM; a second signal stops it immediately',
    {
      examples: [
        ['linkfold serve', 'http://127.0.0.1:3000, data in ./data'],
        ['PORT=8080 HOST=0.0.0.0 BASE_URL=https://go.example.com linkfold serve', 'behind a reverse proxy'],
        ['linkfold serve --https go.example.com', 'ports 443 and 80, with an automatic certificate'],
        ['linkfold serve --workers auto', 'one process per processor'],
        ['linkfold config', 'all settings, before you start'],
      ],
      refused: 'the server could not start or stop cleanly',
      reaches: 'database',
    },
  )
    .option('--workers <n>', 'number of processes, or auto for one per processor (default: WORKERS)')
    .option('--https <host>', 'serve this host over HTTPS, with a certificate from Let’s Encrypt')
    .action(async ({ workers, https }: { readonly workers?: string; readonly https?: string }) => {
      const exit = await serve({
        ...(workers !== undefined && { WORKERS: workers }),
        ...(https !== undefined && httpsSettings(https)),
      });
      if (exit !== 0) throw new Stop(exit);
    });
}

/** Returns the settings for `--https`. Environment variables for ports and certificates take precedence. */
function httpsSettings(host: string): Readonly<Record<string, string>> {
  const { HTTPS_PORT = '443', HTTP_PORT = '80', ACME = process.env['TLS_CERT'] ? '0' : '1' } = process.env;
  const port = HTTPS_PORT === '443' ? '' : `:${HTTPS_PORT}`;
  return { BASE_URL: `https://${host}${port}`, HTTPS_PORT, HTTP_PORT, ACME };
}
