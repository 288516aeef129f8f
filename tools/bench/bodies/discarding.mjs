// Starts the server that discards bodies as a process of its own, as the gateway is one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./discarding-server.mjs', import.meta.url));

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startDiscarding() {
  const server = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  const stop = async () => {
    const ended = once(server, 'close');
    server.kill();
    await ended;
  };
  return { url: String(line).trim(), stop };
}
