import { ConnectionError } from '@vaultsvc/client';

export type ExportFormat = 'jsonl' | 'csv';

const types: Readonly<Record<ExportFormat, string>> = { jsonl: 'application/x-ndjson', csv: 'text/csv' };

/** Received bytes that the page holds itself; browsers keep Blobs elsewhere, and large ones on the disk. */
const PART_BYTES = 4 * 1_048_576;
const SHOWN_EVERY_MS = 200;
const NEWLINE = 10;

/** Such as `audit-log-2026-11-28.jsonl`. */
export function fileNameOf(format: ExportFormat, now = new Date()): string {
  return `audit-log-${now.toISOString().slice(0, 10)}.${format}`;
}

/**
 * Collects an export. One that breaks off rejects, so that no part is taken for the whole.
 * @param onProgress is called a few times a second
 */
export async function receiveExport(
  { body, headers }: Response,
  signal: AbortSignal,
  onProgress: (lines: number, bytes: number) => void,
): Promise<{ readonly file: Blob; readonly lines: number }> {
  if (!body) throw new ConnectionError('the response has no body');
  const parts = new Parts();
  let [lines, shownAt] = [0, 0];
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw signal.aborted ? error : new ConnectionError(error);
    });
    if (done) break;
    parts.add(value);
    lines += value.reduce((count, byte) => count + Number(byte === NEWLINE), 0);
    if (performance.now() - shownAt < SHOWN_EVERY_MS) continue;
    shownAt = performance.now();
    onProgress(lines, parts.bytes);
  }
  const isCsv = headers.get('Content-Type')?.startsWith(types.csv) ?? false;
  return { file: parts.toBlob(isCsv ? types.csv : types.jsonl), lines };
}

class Parts {
  bytes = 0;
  readonly #parts: Blob[] = [];
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #held = 0;

  add(chunk: Uint8Array<ArrayBuffer>): void {
    this.#chunks.push(chunk);
    this.bytes += chunk.length;
    this.#held += chunk.length;
    if (this.#held >= PART_BYTES) this.#flush();
  }

  toBlob(type: string): Blob {
    this.#flush();
    return new Blob(this.#parts, { type });
  }

  #flush(): void {
    this.#parts.push(new Blob(this.#chunks));
    [this.#chunks, this.#held] = [[], 0];
  }
}
