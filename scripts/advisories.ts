// Lists known security advisories for the packages in package-lock.json, using the npm registry. The exit code is 0 if
// there are no advisories, 1 if there are some, and 2 if the check failed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Report {
  /** Vulnerabilities by package. Undefined if the registry did not respond. */
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  readonly message?: string;
}

interface Vulnerability {
  readonly severity: string;
  readonly range: string;
  /** Advisories, or names of dependencies that have an advisory. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
}

const root = join(import.meta.dirname, '..');
const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
const report = reportIn(stdout);

if (report.vulnerabilities === undefined) {
  console.error(
    `Could not check advisories: npm audit returned no report. Message from npm: ${report.message ?? 'none'}`,
  );
  process.exitCode = 2;
} else {
  const found = Object.entries(report.vulnerabilities);
  for (const [name, { severity, range, via }] of found) {
    const reasons = via.map((one) =>
      typeof one === 'string' ? `through ${one}` : `${one.title} ${one.url}`,
    );
    console.log(`${severity}: ${name} ${range}: ${reasons.join('; ')}`);
  }
  console.log(
    found.length === 0 ? 'No known advisories.' : `Packages with known advisories: ${found.length}.`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
}

function reportIn(text: string | null): Report {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return {};
  }
}
