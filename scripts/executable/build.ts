import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { own, type Platform, platforms } from './platforms.ts';
import { programFiles, root } from './program.ts';
import { seal } from './seal.ts';

// Builds standalone executables with the program and the pinned Node, for this platform or for others.
// Usage: npm run build:executable -- [OPTIONS]

const usage = `Usage: npm run build:executable -- [--platform NAME]... [--out FOLDER]
         [--upgrade-url URL] [--upgrade-key KEY]

  --platform NAME    ${Object.keys(platforms).join(', ')}, or all (default: the platform of this machine)
  --out FOLDER       folder for the files (default: dist/release)
  --upgrade-url URL  default UPGRADE_URL of linkfold upgrade
  --upgrade-key KEY  default UPGRADE_KEY of linkfold upgrade (Ed25519)`;

const { values } = parseArgs({
  options: {
    platform: { type: 'string', multiple: true, default: [own] },
    out: { type: 'string', default: join(root, 'dist', 'release') },
    'upgrade-url': { type: 'string' },
    'upgrade-key': { type: 'string' },
  },
});
const chosen = (values.platform.includes('all') ? Object.keys(platforms) : values.platform) as Platform[];
const unknown = chosen.find((one) => !(one in platforms));
if (unknown !== undefined) {
  console.error(`Unknown platform ${unknown}.\n\n${usage}`);
  process.exit(1);
}
const { 'upgrade-url': url, 'upgrade-key': key } = values;
const wanted = chosen.map((platform) => ({
  platform,
  output: join(resolve(values.out), `linkfold-${platform}${platform.startsWith('win') ? '.exe' : ''}`),
}));
await seal(wanted, await programFiles({ ...(url && { url }), ...(key && { key }) }));
for (const { platform, output } of wanted) {
  const size = (statSync(output).size / 1e6).toFixed(1);
  console.log(`${output}: ${size} MB${platform === own ? '' : ' (built, but not run)'}`);
}
