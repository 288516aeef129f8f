// The time to the first byte of a Range of 64 KiB, by position and file size.
import { download } from './clients.ts';
import { median } from '../report.ts';
import type { Slice } from './content.ts';
import type { Target } from './targets.ts';

const RANGE_BYTES = 65_536;
const SAMPLES = 40;

/** Milliseconds of a position. */
export interface FirstByteTimes {
  file: string;
  position: string;
  p50: number;
  p95: number;
}

interface Position {
  name: string;
  position: string;
  url: string;
  start: number;
  times: number[];
}

export async function measureFirstBytes(
  target: Target,
  files: { name: string; slice: Slice }[],
): Promise<FirstByteTimes[]> {
  const kept = [];
  for (const { name, slice } of files) {
    const file = await target.upload(slice);
    kept.push({ name, slice, file, url: await file.url('stream') });
  }
  const positions = kept.flatMap(positionsOf);
  await sample(positions, 5);
  for (const position of positions) position.times = [];
  await sample(positions, SAMPLES);
  for (const { file } of kept) await file.remove();
  return positions.map(({ name, position, times }) => ({
    file: name,
    position,
    p50: median(times),
    p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN,
  }));
}

function positionsOf({ name, slice, url }: { name: string; slice: Slice; url: string }): Position[] {
  const starts = {
    start: 0,
    middle: Math.floor(slice.bytes / 2) - 1_000,
    end: slice.bytes - RANGE_BYTES,
  };
  return Object.entries(starts).map(([position, start]) => ({ name, position, url, start, times: [] }));
}

/** Alternates between the positions, so that all of them run under the same conditions. */
async function sample(positions: Position[], count: number) {
  for (let i = 0; i < count; i++)
    for (const position of positions) position.times.push(await firstByte(position));
}

async function firstByte({ url, start }: Position) {
  const range = `bytes=${start}-${start + RANGE_BYTES - 1}`;
  const { status, bytes, firstByteMs } = await download(url, { headers: { range } });
  if (status !== 206 || bytes !== RANGE_BYTES)
    throw new Error(`${range}: ${status}, ${bytes} bytes received`);
  return firstByteMs;
}
