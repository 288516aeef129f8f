import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process. Its number alone is used again. */
export interface ProcessName {
  readonly pid: number;
  /** When it started, in ticks of the kernel; empty where that is not known. */
  readonly started: string;
  readonly host: string;
}

export function thisProcess(): ProcessName {
  const { pid } = process;
  return { pid, started: statusOf(pid)?.started ?? '', host: hostname() };
}

/** Whether the process still runs. One of another machine, which shares the folder, counts as running. */
export function isRunning({ pid, started, host }: ProcessName): boolean {
  if (host !== hostname() || !Number.isInteger(pid) || pid <= 0) return host !== hostname();
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const status = statusOf(pid);
  return !status || (status.started === started && !status.isZombie);
}

/** From /proc of Linux (proc(5)): state and start are the fields 3 and 22; the name before them may contain spaces. */
function statusOf(pid: number): { readonly started: string; readonly isZombie: boolean } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { started: fields[19] ?? '', isZombie: 'ZX'.includes(fields[0] ?? '') };
}
