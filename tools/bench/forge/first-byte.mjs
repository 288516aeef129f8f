// How long the first byte of a 64 KiB Range takes, by where it lies and how large the file is.
import { download } from './clients.mjs';
import { median } from '../report.mjs';

const RANGE_BYTES = 65_536;
const SAMPLES = 40;

/**
 * @param {import('./targets.mjs').Target} target
 * @param {{ name: string, slice: object }[]} files
 * @returns {Promise<{ file: string, place: string, p50: number, p95: number }[]>} milliseconds
 */
export async function measureFirstBytes(target, files) {
  const kept = [];
  for (const { name, slice } of files) {
    const file = await target.upload(slice);
    kept.push({ name, slice, file, url: await target.urlOf(file, 'stream') });
  }
  const places = kept.flatMap(placesOf);
  await sample(places, 5);
  for (const place of places) place.times = [];
  await sample(places, SAMPLES);
  for (const { file } of kept) await target.remove(file);
  return places.map(({ name, place, times }) => ({
    file: name,
    place,
    p50: median(times),
    p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)],
  }));
}

function placesOf({ name, slice, url }) {
  const starts = {
    start: 0,
    middle: Math.floor(slice.bytes / 2) - 1_000,
    end: slice.bytes - RANGE_BYTES,
  };
  return Object.entries(starts).map(([place, start]) => ({ name, place, url, start, times: [] }));
}

/** Every place in turn, so that a slow moment of the machine meets all of them. */
async function sample(places, count) {
  for (let i = 0; i < count; i++) for (const place of places) place.times.push(await firstByte(place));
}

async function firstByte({ url, start }) {
  const range = `bytes=${start}-${start + RANGE_BYTES - 1}`;
  const { status, bytes, firstByteMs } = await download(url, { headers: { range } });
  if (status !== 206 || bytes !== RANGE_BYTES) throw new Error(`${range}: ${status}, ${bytes} bytes came`);
  return firstByteMs;
}
