import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ownerUrlOf } from '@vaultsvc/testing/servers';

export { buildService } from '../../races/service-instances.ts';

/** A program of a bundled service as a process, with its output so far. */
export interface ServiceProcess {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly output: () => string;
  /** Resolves with the exit code; null after a signal. */
  readonly ended: Promise<number | null>;
}

/** Starts a program of a bundle from `buildService`. Its environment is these settings alone; migrations run as the owner. */
export function startProcess(
  bundle: string,
  name: 'main' | 'migrate',
  env: Record<string, string>,
): ServiceProcess {
  const process = spawn(globalThis.process.execPath, [join(bundle, `${name}.js`)], {
    env: name === 'migrate' ? asOwner(env) : env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [process.stdout, process.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()));
  const ended = once(process, 'close').then(([code]) => code as number | null);
  return { process, output: () => text, ended };
}

/** The environment in which migrations of a service run, from that of the service. */
export function asOwner(env: Record<string, string>): Record<string, string> {
  const urls = Object.entries(env).filter(([name]) => name.endsWith('DATABASE_URL'));
  return { ...env, ...Object.fromEntries(urls.map(([name, url]) => [name, ownerUrlOf(url)])) };
}

/**
 * Waits until a complete line of the output contains these words.
 * @throws with the whole output when the process ends before
 */
export async function waitForOutput(program: ServiceProcess, words: string): Promise<void> {
  const isFound = () => linesOf(program).some((line) => line.includes(words));
  while (!isFound()) {
    const hasEnded = await Promise.race([
      once(program.process.stdout, 'data').then(() => false),
      program.ended.then(() => true),
    ]);
    if (hasEnded && !isFound()) throw new Error(program.output());
  }
}

/** The complete lines of the output so far: a pipe may deliver half a line. */
export function linesOf({ output }: ServiceProcess): string[] {
  return output().split('\n').slice(0, -1);
}
