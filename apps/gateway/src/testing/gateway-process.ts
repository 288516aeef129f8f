import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Harness } from '@vaultsvc/testing/harness';
import { buildService, startProcess, waitForOutput } from '@vaultsvc/tools-testing/service-process';
import { freePort } from '../../../../tools/stack/servers/ports.ts';

/** The bundled gateway as a process, whose event loop and memory are its own. */
export interface GatewayProcess {
  readonly url: string;
  readonly linkUrl: string;
  /** The longest turn of its event loop since the last call, in milliseconds of processor time. */
  longestTurnMs(): Promise<number>;
  /** Its highest resident memory so far, in MiB. */
  peakMebibytes(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Measures processor time and not time, of which a busy machine takes any amount. The garbage collector's threads count
 * too. A timer fires once in a turn.
 */
const PROBE = `
  let [longest, last] = [0, process.cpuUsage()];
  setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  }, 5).unref();
  process.on('SIGUSR2', () => {
    process.stdout.write('longest turn ' + longest + '\\n');
    longest = 0;
  });`;

export async function startGatewayProcess(
  harness: Harness,
  settings: Record<string, string>,
): Promise<GatewayProcess> {
  const [http, link, files] = [await freePort(), await freePort(), await freePort()];
  const ports = { HTTP_PORT: String(http), LINK_PORT: String(link), FILES_PORT: String(files) };
  const program = startProcess(await buildService('gateway'), 'main', {
    ...(await harness.environment('gateway', { LOG_LEVEL: 'info', ...ports, ...settings })),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PROBE)}`,
  });
  await waitForOutput(program, '"msg":"ready"');
  let asked = 0;
  return {
    url: `http://127.0.0.1:${http}`,
    linkUrl: `http://127.0.0.1:${link}`,
    longestTurnMs: async () => {
      asked += 1;
      program.process.kill('SIGUSR2');
      for (;;) {
        const answers = [...program.output().matchAll(/^longest turn (\S+)\n/gm)];
        if (answers.length === asked) return Number(answers.at(-1)?.[1]);
        await once(program.process.stdout, 'data');
      }
    },
    peakMebibytes: async () => {
      const status = await readFile(`/proc/${program.process.pid}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
    },
    stop: async () => {
      program.process.kill('SIGKILL');
      await program.ended;
    },
  };
}
