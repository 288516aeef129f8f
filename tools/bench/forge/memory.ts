// Resident memory of a server during many concurrent uploads (Linux: /proc).
import { peakMegabytes, resetPeak, residentMegabytes } from '../memory.ts';
import type { Slice } from './content.ts';
import { verify } from './rounds.ts';
import type { Target } from './targets.ts';

const SAMPLE_MS = 20;

/**
 * @param target whose process has not served requests yet
 * @param slices one for each client
 * @returns MB of 10^6 bytes
 */
export async function measureMemory(
  target: Target,
  slices: Slice[],
): Promise<{ idleMb: number; peakMb: number; seconds: number }> {
  const pid = target.pids.server;
  resetPeak(pid); // which excludes the start of the process
  const idleMb = residentMegabytes(pid);
  let peakMb = idleMb;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMegabytes(pid))), SAMPLE_MS);
  const startedAt = performance.now();
  try {
    const files = await Promise.all(slices.map((slice) => target.upload(slice)));
    const seconds = (performance.now() - startedAt) / 1_000;
    peakMb = Math.max(peakMb, peakMegabytes(pid));
    await verify(target, files, slices);
    await Promise.all(files.map((file) => file.remove()));
    return { idleMb, peakMb, seconds };
  } finally {
    clearInterval(watch);
  }
}
