// The real server in a process of its own, but for its clock, which the parent moves. For the model test.
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';

/** To this process: move the clock, or stop gracefully. */
export type ToServer = { readonly advanceMs: number } | 'stop';
/** From this process: once where it listens, then the time after every move. */
export type FromServer = { readonly port: number } | { readonly now: number };

const say = (message: FromServer): void => void process.send?.(message);

let now = Number(process.env['LINKFOLD_TEST_NOW']);
const app = await createApp(loadConfig(process.env), { now: () => now });
const { port } = await app.listen();

process.on('message', (message: ToServer) => {
  if (message === 'stop') {
    void app.close().then(() => process.disconnect?.());
    return;
  }
  now += message.advanceMs;
  say({ now });
});
// Without its parent, nobody would ever end it.
process.on('disconnect', () => process.exit(0));
say({ port });
