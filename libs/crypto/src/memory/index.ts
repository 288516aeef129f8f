/**
 * Frees the memory of bytes that nothing uses any more, also no read or write under way: they are empty afterwards. The collector would
 * find it much later, because it counts objects, and a buffer of 64 KiB is a small one. Without effect where the bytes share their
 * memory with others, as those of Node's pool do.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  const isOwn = buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === byteLength;
  if (isOwn) buffer.transfer(0);
}
