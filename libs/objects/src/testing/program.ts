import { execFile, spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Putting, PuttingResult } from './putting.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);

/** Bundles the program `putting` into a folder and gives its path: what is measured and killed is a process of its own. */
export async function buildPutting(dir: string): Promise<string> {
  const outfile = join(dir, 'putting.mjs');
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
  const source = here('./putting.ts');
  const esbuild = here('../../../../node_modules/.bin/esbuild');
  await run(esbuild, [source, ...options, ...optional, `--banner:js=${banner}`, `--outfile=${outfile}`]);
  return outfile;
}

/** Runs it to its end. With `fileBytesMax` the system refuses it longer files, as a full disk would. */
export async function putInProcess(
  program: string,
  task: Putting,
  fileBytesMax?: number,
): Promise<PuttingResult> {
  const command = [process.execPath, program, JSON.stringify(task)];
  // An ignored SIGXFSZ stays ignored after exec: writing fails, instead of the process. Blocks of ulimit are 512 bytes.
  const limit = fileBytesMax === undefined ? '' : `trap '' XFSZ; ulimit -f ${Math.ceil(fileBytesMax / 512)};`;
  const { stdout } = await run('/bin/sh', ['-c', `${limit} exec "$@"`, 'sh', ...command]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as PuttingResult;
}

/** Starts it. Whoever starts it ends it. */
export function startPutting(program: string, task: Putting): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Starts it and waits until all its contents have stopped at `stopAfter`. */
export async function startStopping(program: string, task: Putting): Promise<ChildProcess> {
  const child = startPutting(program, task);
  let text = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    text += part as string;
    if (text.split('stopped').length > task.keys.length) return child;
  }
  throw new Error(`ended early: ${text}`);
}
