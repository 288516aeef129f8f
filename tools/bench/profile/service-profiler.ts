// Records CPU profiles of one service of a temporary stack, by the agent that the service imports at its start.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { services } from '../../stack/settings.ts';
import type { Profile } from './folded-profile.ts';

export interface ServiceProfiler {
  service: string;
  /** Of the stack, by which the service imports the agent. */
  settings: Record<string, string>;
  /** Resolves with the `.cpuprofile` of the work. */
  record: <T>(work: () => Promise<T>) => Promise<Profile>;
  close: () => void;
}

/** @throws for an unknown service */
export function createServiceProfiler(service: string): ServiceProfiler {
  if (!services.includes(service)) throw new Error(`--profile needs one of ${services.join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-profiler-'));
  const socketPath = join(folder, 'agent.sock');
  return {
    service,
    settings: {
      [`VAULTSVC_IMPORT_${service.toUpperCase()}`]: new URL('./agent.ts', import.meta.url).href,
      PROFILE_SOCKET: socketPath,
    },
    record: async (work) => {
      await ask(socketPath, '/start');
      await work();
      return ask(socketPath, '/stop');
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Answer {
  status: number | undefined;
  content: string;
}

async function ask(socketPath: string, path: string) {
  const { status, content } = await new Promise<Answer>((resolve, reject) => {
    const sent = request({ socketPath, path }, (response) => {
      text(response).then((content) => resolve({ status: response.statusCode, content }), reject);
    });
    sent.on('error', reject).end();
  });
  if (status !== 200) throw new Error(`the profiler could not ${path.slice(1)}: ${content}`);
  return JSON.parse(content);
}
