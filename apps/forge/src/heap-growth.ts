import { setFlagsFromString } from 'node:v8';

const [V8_MAJOR] = process.versions.v8.split('.').map(Number) as [number];

/**
 * Flags by which V8 collects the whole heap when it has doubled, and counts buffers only towards that limit. V8 13 has a
 * separate limit for buffers by default.
 *
 * A transfer frees the bytes that it has written or sent (ADR 65), but not ciphertext on its way to S3: V8 frees it when
 * 128 MiB wait. A process that was at rest has a limit a few MiB above its heap of 55 MiB. Buffers exceed it, so V8 would
 * collect the whole heap for each 30 MB of them: in four threads, and with more work than the transfer itself.
 */
export const HEAP_GROWTH_FLAGS: readonly string[] = [
  '--heap-growing-percent=100',
  ...(V8_MAJOR >= 13 ? ['--external-memory-accounted-in-global-limit'] : []),
];

/** Call it before the first transfer. V8 reads the flags at each collection, and NODE_OPTIONS does not allow them. */
export function letHeapGrow(): void {
  for (const flag of HEAP_GROWTH_FLAGS) setFlagsFromString(flag);
}
