// Checks the types of everything: the platform for Node, and the scripts of pages for browsers.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureClientTypes } from '../build/client-types.ts';
import { workspace } from '../stack/settings.ts';

const projects = [
  'tsconfig.flat.json',
  'apps/web',
  'apps/gateway/src/link-page/client',
  'apps/gateway/src/reference/client',
  'apps/gateway/src/reference/search/client',
  'apps/gateway/src/panel/client',
  'apps/gateway/src/unsubscribe/client',
  'tsconfig.browser.json',
  'tools',
];
await ensureClientTypes();
const tsc = join(workspace, 'node_modules/.bin/tsc');
const codes = projects.map(
  (project) => spawnSync(process.execPath, [tsc, '-p', project], { cwd: workspace, stdio: 'inherit' }).status,
);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
