import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export { buildService } from '../../races/copies.mjs';

/** A program of a bundled service as a process, and all that it has said so far. */
export interface Program {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly output: () => string;
  /** Exit code, once it has ended; null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts a program of the bundle that `buildService` gave; it sees nothing of our environment but these settings. */
export function runProgram(bundle: string, name: 'main' | 'migrate', env: Record<string, string>): Program {
  const process = spawn(globalThis.process.execPath, [join(bundle, `${name}.js`)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [process.stdout, process.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString()));
  const ended = once(process, 'close').then(([code]) => code as number | null);
  return { process, output: () => text, ended };
}

/** Waits until the program has said this, and its line to the end. Throws all that it said if it ends before. */
export async function said(program: Program, words: string): Promise<void> {
  const isSaid = () => linesOf(program).some((line) => line.includes(words));
  while (!isSaid()) {
    const isOver = await Promise.race([
      once(program.process.stdout, 'data').then(() => false),
      program.ended.then(() => true),
    ]);
    if (isOver && !isSaid()) throw new Error(program.output());
  }
}

/** What the program has said so far, without a line that it has begun: a pipe may give half of one. */
export function linesOf({ output }: Program): string[] {
  return output().split('\n').slice(0, -1);
}
