// @ts-nocheck
// Starts the bare pipeline with the servers of the stack and returns its origin.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export async function startBarePipeline(stack: {
  nats_url: string;
  redis_url: string;
  postgres_url: string;
}) {
  const env = {
    ...process.env,
    NATS_URL: stack.nats_url,
    REDIS_URL: stack.redis_url,
    POSTGRES_URL: stack.postgres_url,
  };
  const start = async (file) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    return { child, line: String(line).trim() };
  };
  const sparks = await start('./bare-sparks.ts');
  const gateway = await start('./bare-gateway.ts');
  return {
    origin: gateway.line,
    pids: { 'bare gateway': gateway.child.pid, 'bare sparks': sparks.child.pid },
    stop: () => [gateway, sparks].forEach(({ child }) => child.kill()),
  };
}
