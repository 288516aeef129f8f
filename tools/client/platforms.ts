// Runs tools/client/program.ts with the packed client on Node, Deno and Bun, against the API of VAULTSVC_URL and
// VAULTSVC_API_KEY, which `npm start` prints. Installs Deno and Bun into a temporary folder; not part of `npm test`.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InstalledPackage } from './installed-package.ts';

const execute = promisify(execFile);
const RUNTIMES = ['deno@2.9.6', 'bun@1.4.5'];
const BINARIES = { deno: '@deno/linux-x64-glibc/deno', bun: '@oven/bun-linux-x64/bin/bun' };

const runtimes = await mkdtemp(join(tmpdir(), 'vaultsvc-runtimes-'));
const installed = await InstalledPackage.make();
try {
  await writeFile(join(runtimes, 'package.json'), '{ "private": true }\n');
  await execute('npm', ['install', '--ignore-scripts', '--no-audit', ...RUNTIMES], { cwd: runtimes });
  const binary = async (name: keyof typeof BINARIES) => {
    const path = join(runtimes, 'node_modules', BINARIES[name]);
    await chmod(path, 0o755);
    return path;
  };
  await run('Node', process.execPath, ['program.js']);
  await run('Deno', await binary('deno'), ['run', '--allow-all', '--node-modules-dir=manual', 'program.ts']);
  await run('Bun', await binary('bun'), ['run', 'program.ts']);
} finally {
  await Promise.all([installed.remove(), rm(runtimes, { recursive: true })]);
}

async function run(name: string, file: string, args: readonly string[]) {
  const { stdout } = await execute(file, args, { cwd: installed.folder, timeout: 120_000 });
  process.stdout.write(`${name}: ${stdout}`);
}
