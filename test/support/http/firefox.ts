import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../files/temporary.ts';

// Opens an installed headless Firefox and controls it with WebDriver BiDi. Playwright's own Firefox does not support
// extensions.

const [executable] = ['firefox-esr', 'firefox']
  .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
  .filter((path) => path !== '');

/** Returns why Firefox tests cannot run, or undefined if they can. */
export function whyNoFirefox(): string | undefined {
  return executable === undefined
    ? 'NOT TESTED: no Firefox is installed (Debian: apt-get install firefox-esr)'
    : undefined;
}

export interface Firefox {
  go(url: string): Promise<void>;
  /** Returns the value of an expression in the page: a string, number or boolean. */
  value(expression: string): Promise<unknown>;
  /** Clicks the first element that matches the selector and contains the text. */
  click(selector: string, text?: string): Promise<void>;
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

const origin = '0f3d6a52-6f0e-4b52-9a52-4d1a5c1f7a01';
export const pagesOfExtension = `moz-extension://${origin}`;

/**
 * @param folder the extension's folder
 * @param id the extension's ID, from its manifest
 */
export async function openFirefox(folder: string, id: string): Promise<Firefox> {
  const profile = temporaryFolder('profile');
  const preferences = {
    'extensions.webextensions.uuids': JSON.stringify({ [id]: origin }),
    // Grants the manifest's optional permissions without a prompt.
    'extensions.webextOptionalPermissionPrompts': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.enabled': false,
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const flags = ['--headless', '--no-remote', '--remote-allow-system-access', '--remote-debugging-port', '0'];
  const child = spawn(executable ?? '', [...flags, '--profile', profile], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error('Firefox exited.')));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  // biome-ignore lint/suspicious/noExplicitAny: each response has a different shape
  const waiting = new Map<number, (answer: any) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
  });
  let count = 0;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const send = (method: string, params: object): Promise<any> =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, ({ type, message, result }) =>
        type === 'error' ? reject(new Error(`${method}: ${message}`)) : resolve(result),
      );
      socket.send(JSON.stringify({ id: count, method, params }));
    });
  await send('session.new', { capabilities: {} });
  await send('webExtension.install', { extensionData: { type: 'path', path: folder } });
  const { contexts } = await send('browsingContext.getTree', {});
  const context = contexts[0].context;
  const act = (source: object) => send('input.performActions', { context, actions: [source] });
  const value = async (expression: string) => {
    const { result, exceptionDetails } = await send('script.evaluate', {
      expression,
      target: { context },
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result.value;
  };
  return {
    value,
    go: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    async click(selector, text = '') {
      const place = await value(`(() => {
        const found = [...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.textContent.includes(${JSON.stringify(text)}));
        const { x, y, width, height } = found.getBoundingClientRect();
        return JSON.stringify([Math.round(x + width / 2), Math.round(y + height / 2)]);
      })()`);
      const [x, y] = JSON.parse(String(place));
      const actions = [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await act({ type: 'pointer', id: 'mouse', actions });
    },
    async type(text) {
      const actions = [...text].flatMap((key) => [
        { type: 'keyDown', value: key },
        { type: 'keyUp', value: key },
      ]);
      await act({ type: 'key', id: 'keyboard', actions });
    },
    async close() {
      socket.close();
      child.kill();
      await ended;
    },
  };
}
