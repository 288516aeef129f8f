import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SYSTEM_PYTHON } from '../../../../tools/stack/servers/binaries.ts';
import { ensureTuspy } from '../../../../tools/stack/servers/install.ts';
import { stack } from '../stack.js';
import { FileVault } from './file-vault.js';
import { RandomFile } from './random-file.js';
import { TcpFaultProxy } from './tcp-fault-proxy.js';
import { CHUNK_BYTES } from './tus-upload.js';

/** As its documentation shows, with the chunk size of Forge and a file that keeps the URLs of uploads. */
const PROGRAM = `
import sys
from tusclient import client
from tusclient.storage import filestorage

endpoint, path, chunk_size, notes = sys.argv[1:]
uploader = client.TusClient(endpoint).uploader(
    path, chunk_size=int(chunk_size), store_url=True, url_storage=filestorage.FileStorage(notes))
print(uploader.offset)
uploader.upload()
print(uploader.offset)
`;

interface Ended {
  readonly code: number | null;
  /** The offset at which it began; a second one is that of the complete upload. */
  readonly lines: readonly string[];
}

const notesOf = ({ path }: RandomFile) => join(dirname(path), 'urls.json');

/** What Forge says of the upload whose URL tuspy has kept. */
async function kept(file: RandomFile) {
  const [, url = ''] = /"url": "([^"]+)"/.exec(readFileSync(notesOf(file), 'utf8')) ?? [];
  const { headers } = await fetch(url, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } });
  return [headers.get('Upload-Offset'), headers.get('X-Chunk-Size')];
}

function uploadByTuspy(forgeUrl: string, file: RandomFile): Promise<Ended> {
  const words = [forgeUrl, file.path, String(CHUNK_BYTES), notesOf(file)];
  const program = spawn(SYSTEM_PYTHON, ['-c', PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return new Promise((resolve, reject) => {
    program.once('error', reject);
    program.once('close', (code) => resolve({ code, lines: printed.split('\n').slice(0, -1) }));
  });
}

/** The content hash by its definition: SHA-256 over the SHA-256s of both chunks (ADR 44). */
function contentHashOf({ path }: RandomFile): string {
  const content = readFileSync(path);
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const chunks = [content.subarray(0, 52_428_800), content.subarray(52_428_800)];
  return sha256(Buffer.concat(chunks.map(sha256))).toString('hex');
}

describe('The unmodified tuspy of Debian', () => {
  const running = stack();
  let file: RandomFile;
  let vault: FileVault;
  let proxy: TcpFaultProxy;

  beforeAll(async () => {
    await ensureTuspy();
    [file, vault, proxy] = await Promise.all([
      RandomFile.make('by-tuspy.bin', CHUNK_BYTES + 20_000_000),
      FileVault.open(running),
      TcpFaultProxy.start(running.forge_url),
    ]);
  });
  afterAll(() => Promise.all([file.remove(), proxy.close()]));

  it('FRG-34 FRG-11 FRG-14: completes an upload in another process after one whose connection was reset', async () => {
    const { forge_url, ingot_id } = await vault.openUpload('by-tuspy.bin', file.bytes);
    const endpoint = proxy.proxied(forge_url);
    const cut = proxy.inject({ kind: 'cut', afterBytes: CHUNK_BYTES + 10_000_000 });
    const interrupted = await uploadByTuspy(endpoint, file);
    await cut;
    expect(interrupted).toEqual({ code: 1, lines: ['0'] });

    expect(await kept(file)).toEqual(['52428800', '52428800']);

    expect(await uploadByTuspy(endpoint, file)).toEqual({ code: 0, lines: ['52428800', '72428800'] });
    expect(await vault.downloadedHash(ingot_id)).toBe(file.hash);
    expect(await vault.read(ingot_id)).toMatchObject({ status: 'active', content_hash: contentHashOf(file) });
  });
});
