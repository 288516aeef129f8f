// Resident memory of a server during many concurrent uploads (Linux: /proc).
import { readFileSync, writeFileSync } from 'node:fs';
import { verify } from './rounds.mjs';

const SAMPLE_MS = 20;

/**
 * @param {import('./targets.mjs').Target} target whose process has not served requests yet
 * @param {object[]} slices one for each client
 * @returns {Promise<{ idleMb: number, peakMb: number, seconds: number }>} MB of 10^6 bytes
 */
export async function measureMemory(target, slices) {
  const pid = target.pids.server;
  // proc(5): resets the high-water mark, which excludes the start of the process.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const idleMb = residentMb(pid);
  let peakMb = idleMb;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(pid))), SAMPLE_MS);
  const startedAt = performance.now();
  try {
    const files = await Promise.all(slices.map((slice) => target.upload(slice)));
    const seconds = (performance.now() - startedAt) / 1_000;
    // The kernel's high-water mark includes peaks between two samples.
    peakMb = Math.max(peakMb, residentMb(pid, 'VmHWM'));
    await verify(target, files, slices);
    await Promise.all(files.map((file) => target.remove(file)));
    return { idleMb, peakMb, seconds };
  } finally {
    clearInterval(watch);
  }
}

function residentMb(pid, field = 'VmRSS') {
  const [, kib = '0'] =
    new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`)) ?? [];
  return (Number(kib) * 1_024) / 1e6;
}
