// Starts the bare pipeline with the servers of the stack and returns its origin.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StackDescription } from '../../stack/descriptor.ts';

export interface BarePipeline {
  origin: string;
  pids: Record<'bare gateway' | 'bare sparks', number>;
  stop: () => void;
}

export async function startBarePipeline(stack: StackDescription): Promise<BarePipeline> {
  const env = {
    ...process.env,
    NATS_URL: stack.nats_url,
    REDIS_URL: stack.redis_url,
    POSTGRES_URL: stack.postgres_url,
  };
  const start = async (file: string) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    return { child, pid: child.pid ?? 0, line: String(line).trim() };
  };
  const sparks = await start('./bare-sparks.ts');
  const gateway = await start('./bare-gateway.ts');
  return {
    origin: gateway.line,
    pids: { 'bare gateway': gateway.pid, 'bare sparks': sparks.pid },
    stop: () => {
      for (const { child } of [gateway, sparks]) child.kill();
    },
  };
}
