import { useEffect, useState } from 'react';
import { loadPart } from '../../../api/load-part.js';
import type { OpenVault } from '../open/open-vaults.js';

/** The content of a file while a preview shows it; in memory alone. */
export type FileBytes =
  | { readonly status: 'reading'; readonly percent: number }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'read'; readonly bytes: ArrayBuffer };

/** Reads a file once the preview was opened by a press. Closing it ends the transfer. */
export function useFileBytes(vault: OpenVault, ingotId: string, size: number): FileBytes {
  const [state, setState] = useState<FileBytes>({ status: 'reading', percent: 0 });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const onRead = (done: number) =>
      setState({ status: 'reading', percent: Math.min(100, Math.floor((100 * done) / Math.max(1, size))) });
    readAll(vault, ingotId, onRead, signal).then(
      (bytes) => signal.aborted || setState({ status: 'read', bytes }),
      (error: unknown) => signal.aborted || setState({ status: 'failed', error }),
    );
    return () => ending.abort();
  }, [vault, ingotId, size]);
  return state;
}

async function readAll(
  vault: OpenVault,
  ingotId: string,
  onRead: (done: number) => void,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  const { readFile } = await loadPart(() => import('../../../api/read-file.js'));
  const { body } = await readFile(vault, ingotId, { signal });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = body.getReader();
  let done = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value as Uint8Array<ArrayBuffer>);
    done += part.value.length;
    onRead(done);
  }
  return new Blob(parts).arrayBuffer();
}
