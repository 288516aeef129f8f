import { execFile, spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PutTask, PutReport } from './put-program.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);

/** Bundles `put-program.ts` into a folder; returns its path. Specs measure and kill it as a separate process. */
export async function buildPutProgram(dir: string): Promise<string> {
  const outfile = join(dir, 'put-program.mjs');
  const banner =
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  const nest = ['microservices', 'websockets', 'platform-express'].map(
    (name) => `--external:@nestjs/${name}`,
  );
  const options = [
    '--bundle',
    '--format=esm',
    '--platform=node',
    '--conditions=@vaultsvc/source',
    '--log-level=error',
  ];
  const optional = ['--external:class-transformer', '--external:class-validator', ...nest];
  const source = here('./put-program.ts');
  const esbuild = here('../../../../node_modules/.bin/esbuild');
  await run(esbuild, [source, ...options, ...optional, `--banner:js=${banner}`, `--outfile=${outfile}`]);
  return outfile;
}

/** Runs the program to its end. With `fileBytesMax` the system refuses longer files, as a full disk would. */
export async function runPutProgram(
  program: string,
  task: PutTask,
  fileBytesMax?: number,
): Promise<PutReport> {
  const command = [process.execPath, program, JSON.stringify(task)];
  // An ignored SIGXFSZ stays ignored after exec: the write fails, not the process. Blocks of ulimit are 512 bytes.
  const limit = fileBytesMax === undefined ? '' : `trap '' XFSZ; ulimit -f ${Math.ceil(fileBytesMax / 512)};`;
  const { stdout } = await run('/bin/sh', ['-c', `${limit} exec "$@"`, 'sh', ...command]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as PutReport;
}

/** Starts the program; the caller must end it. */
export function startPutProgram(program: string, task: PutTask): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Starts the program and waits until all its contents have paused at `stopAfter`. */
export async function startPausedPuts(program: string, task: PutTask): Promise<ChildProcess> {
  const child = startPutProgram(program, task);
  let text = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    text += part as string;
    if (text.split('stopped').length > task.keys.length) return child;
  }
  throw new Error(`ended early: ${text}`);
}
