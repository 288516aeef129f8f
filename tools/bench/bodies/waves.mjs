// Starts the sender of waves as a process, so that its work does not delay the measured callers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./send-waves.mjs', import.meta.url));

/**
 * @param {{ url: string, headers: Record<string, string>, waves: number }} task
 * @returns {Promise<string>} how often which status was answered
 */
export async function startWaves(task) {
  const sender = spawn(process.execPath, [PROGRAM, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  sender.stdout.on('data', (part) => (text += part));
  await once(sender, 'close');
  return text.trim();
}
