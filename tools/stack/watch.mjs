import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './progress.mjs';
import { workspace } from './settings.mjs';

/** @typedef {import('./servers/server.mjs').Server} Server */

/** A developer does not wait for requests in flight. */
const stopLimitMs = 500;

/**
 * Rebuilds an app at every edit and restarts its service when the bundle is another one.
 * @param {Server} service
 * @param {{ migrate: (name: string) => Promise<void>, onChange: () => void }} stack
 */
export async function watchService(service, { migrate, onChange }) {
  const { watchApp } = await import('../build/app.mjs');
  const app = join(workspace, 'apps', service.name);
  const digest = (/** @type {string} */ program) => digestOf(join(app, 'dist', `${program}.js`));
  let current = { main: digest('main'), migrate: digest('migrate') };
  let turn = Promise.resolve();
  const reload = async () => {
    const built = { main: digest('main'), migrate: digest('migrate') };
    const previous = current;
    current = built;
    if (built.migrate !== previous.migrate) await migrate(service.name);
    if (built.main !== previous.main) await restart(service, onChange);
  };
  await watchApp(app, ({ errors }) => {
    if (errors.length > 0)
      return say(`  ${service.name} does not build:\n${errors.map(describe).join('\n')}`);
    turn = turn.then(reload).catch((error) => say(`  ${error.message}`));
  });
}

/** @param {import('esbuild').Message} error */
function describe({ text, location }) {
  return `    ${location ? `${location.file}:${location.line}: ` : ''}${text}`;
}

/** @param {string} path */
function digestOf(path) {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
}

/**
 * @param {Server} service
 * @param {() => void} onChange
 */
async function restart(service, onChange) {
  const began = Date.now();
  await service.kill('SIGTERM', stopLimitMs);
  const started = service.start();
  onChange();
  await started;
  say(`  ${service.name} restarted (${Date.now() - began} ms)`);
}
