/** The size of every chunk but the last: Forge prescribes it for uploads, and hashes the content chunk by chunk. */
export const CHUNK_BYTES = 52_428_800;
