/**
 * Frees the memory of bytes: they, and other views of all of it, are empty afterwards. Only the owner may call it, after the last use. A
 * write that is under way would send what comes into this memory next. Without effect on a part of a larger memory, such as Node's
 * pool. The collector would free it up to 128 MiB later (ADR 65).
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  const isOwn = buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === byteLength;
  if (isOwn) buffer.transfer(0);
}
