import type { Logger } from '../../telemetry/log.ts';

const patienceMs = 5_000;

/** Reports the service's state to its service manager, using the `sd_notify(3)` protocol. */
export interface ServiceManager {
  ready(): void;
  stopping(): void;
  /** @param reason why startup is waiting; empty once it continues */
  waiting(reason: string): void;
}

/**
 * Notifies systemd if the unit requests it (`Type=notify` sets NOTIFY_SOCKET). Node has no Unix datagram sockets, so
 * the messages are sent with `systemd-notify`, which is part of systemd; the unit must permit it
 * (`NotifyAccess=all`).
 */
export function createServiceManager(log: Logger, env: NodeJS.ProcessEnv = process.env): ServiceManager {
  const { NOTIFY_SOCKET, PATH } = env;
  let last = Promise.resolve();
  let hasFailed = false;

  const send = (...words: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      const fail = (reason: string): void => {
        if (!hasFailed) log.warn({ reason }, 'could not notify systemd');
        hasFailed = true;
        resolve();
      };
      // The module is loaded only if there is a service manager.
      const { spawn } = process.getBuiltinModule('node:child_process');
      const child = spawn('systemd-notify', words, {
        env: { NOTIFY_SOCKET, PATH },
        stdio: 'ignore',
        timeout: patienceMs,
      });
      child.once('error', (error) => fail(error.message));
      child.once('exit', (code, signal) => (code === 0 ? resolve() : fail(signal ?? `exit code ${code}`)));
      child.unref();
    });
  const notify = (...words: readonly string[]): void => {
    // Messages are sent in order, so that the last one reports the current state.
    if (NOTIFY_SOCKET) last = last.then(() => send(...words));
  };

  return {
    ready: () => notify('READY=1', 'STATUS='),
    stopping: () => notify('STOPPING=1', 'STATUS=Stopping: finishing accepted requests.'),
    waiting: (reason) =>
      notify(reason === '' ? 'STATUS=' : `STATUS=Waiting for the database: ${reason.replace(/\s+/g, ' ')}`),
  };
}
