import { spawn } from 'node:child_process';

/** A code block on a documentation page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /**
   * Reason for not running the block, from a comment above it: `<!-- not run: needs systemd -->`. The comment is not
   * visible on the rendered page.
   */
  readonly notRun: string | undefined;
}

export const fence = /^(?:<!-- not run: (.+) -->\n)?```(\w*)\n([\s\S]*?)^```$/gm;

export function blocksOf(text: string, ...languages: string[]): Block[] {
  return [...text.matchAll(fence)]
    .map(([, notRun, language = '', inside = '']) => ({ language, text: inside, notRun }))
    .filter(({ language }) => languages.length === 0 || languages.includes(language));
}

export interface Result {
  readonly printed: string;
  /** True if a command in the script failed. */
  readonly hasFailed: boolean;
}

const boundary = '-- end of block';

/** Runs scripts in order in one shell. A command that fails does not end the shell. */
export async function paste(
  scripts: readonly string[],
  { env, cwd, prelude = '' }: { env: NodeJS.ProcessEnv; cwd: string; prelude?: string },
): Promise<{ readonly results: readonly Result[]; readonly errors: string }> {
  const shell = spawn('bash', ['-uE', '-o', 'pipefail'], { env, cwd });
  let printed = '';
  let errors = '';
  shell.stdout.on('data', (chunk) => (printed += chunk));
  shell.stderr.on('data', (chunk) => (errors += chunk));
  const ended = new Promise((resolve) => shell.once('close', resolve));
  const whole = scripts.map((script) => `FAILED=0\n${script}\necho "${boundary} $FAILED"\n`).join('');
  // The shell reads the script from standard input, as if pasted. Commands in the script must not read from that input.
  shell.stdin.end(
    `{\n${prelude}\ntrap 'FAILED=1; echo "failed: $BASH_COMMAND" >&2' ERR\n${whole}\nexit\n} < /dev/null\n`,
  );
  await ended;
  const parts = [...printed.matchAll(new RegExp(`([\\s\\S]*?)${boundary} ([01])\\n`, 'g'))];
  return {
    results: parts.map(([, text = '', failed]) => ({ printed: text, hasFailed: failed === '1' })),
    errors,
  };
}
