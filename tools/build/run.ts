// npm run build: every program and package. The services together first, which compiles what they share once, in a quarter of
// the time; Nx builds the rest and finds the services up to date.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

function run(script: string, args: string[]) {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: workspace,
    stdio: 'inherit',
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' },
  });
  if (status !== 0) process.exit(status ?? 1);
}

const apps = readdirSync(`${workspace}apps`).map((name) => `apps/${name}`);
run(
  'tools/build/app.ts',
  apps.filter((app) => existsSync(`${workspace}${app}/src/main.ts`)),
);
run('node_modules/.bin/nx', ['run-many', '-t', 'build', '--outputStyle=static']);
