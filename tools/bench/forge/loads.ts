// What is transferred: by one client, and by eight at once.
import type { BenchEnvironment } from './bench-environment.ts';
import { writeContent, type Content } from './content.ts';
import type { Load } from './rounds.ts';

const MB = 1_000_000;
const MANY = 8;

/** 1 GB, of which every uploaded file is a slice; half of it if the disk lacks space for it and its two stored versions. */
export async function createContent(bench: BenchEnvironment, bytes: number) {
  const large = bench.freeBytes > 12_000 * MB ? 1_000 * MB : 500 * MB;
  return writeContent(`${bench.dir}/content`, Math.max(large, bytes));
}

/** Slices at different offsets, so that no two clients send the same bytes. */
export function slicesOf(content: Content, count: number, bytes: number) {
  const offsetMax = content.bytes - bytes;
  return Array.from({ length: count }, (_, i) => content.slice(Math.floor((offsetMax * i) / count), bytes));
}

export function warmUp(content: Content): Load[] {
  return [{ clients: 2, slices: slicesOf(content, 2, 60 * MB) }];
}

/** One client with a file of `bytes`, and eight with a fifth of it each. */
export function loadsOf(content: Content, bytes: number): Load[] {
  return [
    { clients: 1, slices: [content.slice(0, bytes)] },
    { clients: MANY, slices: slicesOf(content, MANY, bytes / 5) },
  ];
}
