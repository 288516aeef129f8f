/** Content of a known size that can be read again from any offset. */
export interface UploadSource {
  readonly size: number;
  /** Changes when the content does; part of the key by which an interrupted upload is found again. */
  readonly fingerprint: string;
  readonly name?: string;
  readonly type?: string;
  /** A part as the platform sends it: a Blob in browsers, bytes or a file stream in Node. */
  slice(start: number, end: number): Promise<Blob | Uint8Array | object>;
}

/** The sources that `upload` accepts. */
export type Uploadable = Blob | Uint8Array | string | UploadSource;

/** The source of a Blob or File, of bytes, or of a text. */
export function sourceOf(content: Uploadable): UploadSource {
  if (typeof content === 'string') return bytesSource(new TextEncoder().encode(content));
  if (content instanceof Uint8Array) return bytesSource(content);
  return content instanceof Blob ? blobSource(content) : content;
}

function bytesSource(bytes: Uint8Array): UploadSource {
  return {
    size: bytes.length,
    // No later run can tell whether it has the same bytes.
    fingerprint: crypto.randomUUID(),
    slice: async (start, end) => bytes.subarray(start, end),
  };
}

function blobSource(blob: Blob): UploadSource {
  const { name, lastModified } = blob as Blob & { name?: string; lastModified?: number };
  return {
    size: blob.size,
    fingerprint: name === undefined ? crypto.randomUUID() : `file ${name} ${blob.size} ${lastModified}`,
    name,
    type: blob.type || undefined,
    slice: async (start, end) => partOf(blob.slice(start, end)),
  };
}

/** tus-js-client sends Blobs by XMLHttpRequest, which reads them piece by piece; its Node transport knows bytes only. */
async function partOf(part: Blob): Promise<Blob | Uint8Array> {
  return 'XMLHttpRequest' in globalThis ? part : new Uint8Array(await part.arrayBuffer());
}
