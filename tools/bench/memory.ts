// Resident memory of another process (Linux: /proc), in MB of 10^6 bytes.
import { readFileSync, writeFileSync } from 'node:fs';

/** Sets the peak of a process to what it uses now (proc(5)). */
export function resetPeak(pid: number) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export function residentMegabytes(pid: number) {
  return megabytes(pid, 'VmRSS');
}

/** The highest use since the start of the process or the last `resetPeak`, which includes peaks between two samples. */
export function peakMegabytes(pid: number) {
  return megabytes(pid, 'VmHWM');
}

function megabytes(pid: number, field: string) {
  const [, kib = '0'] =
    new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1_024) / 1e6;
}
