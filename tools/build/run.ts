// npm run build: every program and package. The services together first, which compiles what they share once, in a quarter of
// the time; Nx builds the rest and finds the services up to date.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

async function run(script: string, args: string[]) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: workspace,
    stdio: 'inherit',
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' },
  });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (status !== 0) process.exit(status ?? 1);
}

const apps = readdirSync(`${workspace}apps`).map((name) => `apps/${name}`);
const services = apps.filter((app) => existsSync(`${workspace}${app}/src/main.ts`));
await Promise.all([run('tools/build/app.ts', services), run('tools/build/install-files.ts', [])]);
await run('node_modules/.bin/nx', ['run-many', '-t', 'build', '--outputStyle=static']);
