import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Seconds of processor time of this process and of all processes that it, or one of them, has waited for.
 * @returns undefined where the system does not tell
 */
export function processorSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // proc(5): fields 14 to 17 are utime, stime, cutime and cstime, in clock ticks.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
  return ticks / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}
