import { spawnSync } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '@vaultsvc/config/commands';
import { canInstallPackages, installPackages } from '../stack/servers/install.ts';
import { workspace } from '../stack/settings.ts';
import { parseKeys } from './verify-command.js';

/** Debian's packages of Go and of golang.org/x/mod, and the folder of the latter. */
const packages = ['golang-go', 'golang-golang-x-mod-dev'];
const goPath = '/usr/share/gocode';
const library = `${goPath}/src/golang.org/x/mod/sumdb/tlog/tlog.go`;

/** `npm run audit -- interop`: verifies a log with Go's `sumdb/note` and `sumdb/tlog`. Returns 1 if they refuse it. */
export async function interopCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { key: { type: 'string' }, checkpoint: { type: 'string' }, install: { type: 'boolean' } },
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0 || values.key === undefined)
    throw new UsageError('interop needs one folder and --key.');
  const [key] = parseKeys([values.key]);
  await access(folder);
  await ensureGo(values.install ?? false);
  const older = values.checkpoint === undefined ? [] : [values.checkpoint];
  return runGo([folder, String(key), ...older]);
}

async function ensureGo(mayInstall: boolean): Promise<void> {
  if (await hasGo()) return;
  if (mayInstall && canInstallPackages()) await installPackages(packages);
  if (await hasGo()) return;
  throw new UsageError(
    `Go and its module library are missing. On Debian and Ubuntu, as root, --install installs them, or:\n  apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`,
  );
}

async function hasGo(): Promise<boolean> {
  const isThere = await access(library).then(
    () => true,
    () => false,
  );
  return isThere && spawnSync('go', ['version']).status === 0;
}

/** Without modules: the library is that of the system, and nothing is downloaded. */
function runGo(args: readonly string[]): number {
  const program = join(workspace, 'tools/audit/interop/main.go');
  const { status } = spawnSync('go', ['run', program, ...args], {
    stdio: 'inherit',
    env: { ...process.env, GO111MODULE: 'off', GOPATH: goPath, GOFLAGS: '' },
  });
  return status ?? 1;
}
