import type { Command } from 'commander';
import { addCommand } from '../terminal/command.ts';
import { Stop } from '../terminal/exits.ts';
import { serve } from '../terminal/local.ts';

export function addServe(program: Command): void {
  addCommand(
    program,
    'serve',
    'Serve short links and the API until SIGINT or SIGTERM; a second one, after half a second, stops at once',
    {
      examples: [
        ['linkfold serve', 'http://127.0.0.1:3000, data in ./data'],
        ['PORT=8080 HOST=0.0.0.0 BASE_URL=https://go.example.com linkfold serve', 'behind a reverse proxy'],
        ['linkfold serve --workers auto', 'a process for each processor'],
        ['linkfold config', 'every setting, before starting'],
      ],
      refused: 'the server could not start or stop properly',
      reaches: 'database',
    },
  )
    .option('--workers <n>', 'processes that serve, or auto for one for each processor (default: WORKERS)')
    .action(async ({ workers }: { readonly workers?: string }) => {
      const exit = await serve(workers === undefined ? {} : { WORKERS: workers });
      if (exit !== 0) throw new Stop(exit);
    });
}
