import type { Command } from 'commander';
import { addCommand } from './command.ts';
import { Stop } from './exits.ts';
import { serve } from './local.ts';

export const addServe = (program: Command): void => {
  addCommand(
    program,
    'serve',
    'Serve short links and the API until SIGINT or SIGTERM; a second signal stops at once',
    {
      examples: [
        ['linkfold serve', 'http://127.0.0.1:3000, data in ./data'],
        ['PORT=8080 HOST=0.0.0.0 BASE_URL=https://go.example.com linkfold serve', 'behind a reverse proxy'],
        ['linkfold config', 'every setting, before starting'],
      ],
      refused: 'the server could not start or stop properly',
      reaches: 'database',
    },
  ).action(async () => {
    const exit = await serve();
    if (exit !== 0) throw new Stop(exit);
  });
};
