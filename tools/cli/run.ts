// npm run vaultsvc, npx vaultsvc after a change: builds the CLI of this working copy and runs it.
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCli } from '../build/cli.ts';
import { workspace } from '../stack/settings.ts';
import { cliFile, inputsFile, run, stateOf } from './built-cli.cjs';

/** Files that change while they are read may be missing in the bundle as they are now. */
const begunMs = Date.now();
const { read } = await buildCli(cliFile);
// The lock file stands for the packages.
const own = read.filter((path) => !path.startsWith('node_modules/'));
const paths = [...own, 'tools/build/cli.ts', 'package-lock.json'];
const states = paths.map((path) => {
  const isOlder = statSync(join(workspace, path)).mtimeMs < begunMs;
  return [path, isOlder ? stateOf(path) : 'changed'];
});
const temporary = `${inputsFile}.${process.pid}`;
writeFileSync(temporary, JSON.stringify(Object.fromEntries(states)));
renameSync(temporary, inputsFile);
await run();
