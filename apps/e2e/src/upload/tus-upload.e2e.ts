import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { integer, loadConfig, Setting } from '@vaultsvc/config';
import { stack } from '../stack.js';
import { TcpFaultProxy } from './tcp-fault-proxy.js';
import { RandomFile } from './random-file.js';
import { CHUNK_BYTES, uploadByTus } from './tus-upload.js';
import { FileVault } from './file-vault.js';

class UploadConfig {
  @Setting(integer({ min: 120, max: 100_000 }), 'Megabytes of the file; CONTRIBUTING.md names the long form.')
  UPLOAD_MEGABYTES = 120;
}

const { UPLOAD_MEGABYTES: megabytes } = loadConfig(UploadConfig);
const running = stack();
let file: RandomFile;
let vault: FileVault;
let proxy: TcpFaultProxy;

beforeAll(async () => {
  [file, vault] = await Promise.all([
    RandomFile.make('large.bin', megabytes * 1_000_000),
    FileVault.open(running),
  ]);
});
beforeEach(async () => void (proxy = await TcpFaultProxy.start(running.forge_url)));
afterEach(() => proxy.close());
afterAll(() => file.remove());

describe('The unmodified tus-js-client', () => {
  it('FRG-34 FRG-10 ING-40: completes an upload whose connection is reset twice within a chunk', async () => {
    const { forge_url, ingot_id } = await vault.openUpload('cut-twice.bin', file.bytes);
    const requests: string[] = [];
    const cuts = Promise.all([
      proxy.inject({ kind: 'cut', afterBytes: 20_000_000, seconds: 0.5 }),
      proxy.inject({ kind: 'cut', afterBytes: CHUNK_BYTES + 20_000_000, seconds: 0.5 }),
    ]);
    const { isComplete } = await uploadByTus(proxy.proxied(forge_url), file.stream(), {
      onRequest: (method, status, offset) => requests.push(`${method} ${status} ${offset}`),
    });
    await cuts;
    expect(isComplete).toBe(true);
    expect(requests.slice(0, 4)).toEqual([
      'POST 201 0',
      'HEAD 200 0',
      `PATCH 204 ${CHUNK_BYTES}`,
      `HEAD 200 ${CHUNK_BYTES}`,
    ]);
    expect(await vault.downloadedHash(ingot_id)).toBe(file.hash);
    expect(await vault.read(ingot_id)).toMatchObject({ status: 'active', size_bytes: file.bytes });
  });

  it('FRG-34 FRG-14: resumes from the last complete chunk in another process', async () => {
    const { forge_url, ingot_id } = await vault.openUpload('two-programs.bin', file.bytes);
    const interruptAfterBytes = CHUNK_BYTES + 1;
    const first = await uploadByTus(forge_url, file.stream(), { interruptAfterBytes });
    expect(first.isComplete).toBe(false);
    const requests: string[] = [];
    const second = await uploadByTus(forge_url, file.stream(), {
      uploadUrl: first.uploadUrl,
      onRequest: (method, status, offset) => requests.push(`${method} ${status} ${offset}`),
    });
    expect(second).toEqual({ uploadUrl: first.uploadUrl, isComplete: true });
    expect(requests[0]).toBe(`HEAD 200 ${CHUNK_BYTES}`);
    expect(await vault.downloadedHash(ingot_id)).toBe(file.hash);
  });
});
