import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, download, unseal, upload, type VaultAccess } from '@vaultsvc/client';
import { downloadToFile, fileSource } from '@vaultsvc/client/node';
import { createHash } from 'node:crypto';
import { InstalledPackage } from '../../../../tools/client/installed-package.ts';
import { oldestNode } from '../../../../tools/node/oldest-node.ts';
import { newEmail } from '../sign-in.js';
import { stack } from '../stack.js';
import { RandomFile } from '../upload/random-file.js';
import { TcpFaultProxy } from '../upload/tcp-fault-proxy.js';
import { CHUNK_BYTES } from '../upload/tus-upload.js';

const { api_url, forge_url, account } = stack();
const options = { url: api_url, apiKey: account.api_key };
let installed: InstalledPackage;
let folder: string;
let file: RandomFile;
let vault: VaultAccess;
let vat: string;
let proxy: TcpFaultProxy;

beforeAll(async () => {
  [installed, folder, file, proxy] = await Promise.all([
    InstalledPackage.make(),
    mkdtemp(join(tmpdir(), 'client-transfers-')),
    RandomFile.make('large.bin', 120_000_000),
    TcpFaultProxy.start(forge_url),
  ]);
  const client = createClient({ ...options, fetch: throughProxy });
  const { data } = await client.POST('/v1/vaults', { body: { name: `transfers ${newEmail()}` } });
  vault = await unseal(client, data.vault_id, { vmk: data.vmk });
  const params = { path: { vault_id: data.vault_id } };
  const unsealed = await client.POST('/v1/vaults/{vault_id}/unseal', { params, body: { vmk: data.vmk } });
  ({ vat } = unsealed.data);
});
afterAll(() =>
  Promise.all([installed.remove(), file.remove(), proxy.close(), rm(folder, { recursive: true })]),
);

/** Transfer URLs lead through the proxy. */
async function throughProxy(request: Request): Promise<Response> {
  const response = await fetch(request);
  return response.body ? new Response(proxy.proxied(await response.text()), response) : response;
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Runs the program that uploads the file. Resolves with the lines that it printed; it is killed after a number of bytes. */
async function uploadInProcess(killAfterBytes = Infinity): Promise<string[]> {
  const env = {
    ...process.env,
    VAULTSVC_URL: api_url,
    VAULTSVC_API_KEY: account.api_key,
    UPLOAD_FILE: file.path,
    UPLOAD_VAULT: JSON.stringify({ vaultId: vault.vaultId, vat }),
    UPLOAD_RESUME: join(folder, 'resume'),
    UPLOAD_KILL_AFTER: String(killAfterBytes),
  };
  const child = spawn(oldestNode(), ['upload-program.js'], {
    cwd: installed.folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  await exited;
  return lines;
}

describe('An upload of the client', () => {
  it('SDK-08: continues from the last complete chunk after kill -9, and the download is equal', async () => {
    const killed = await uploadInProcess(CHUNK_BYTES);
    expect(Number(killed.at(-1))).toBeLessThan(file.bytes);
    expect((await readdir(join(folder, 'resume'))).filter((name) => name.endsWith('.json'))).toHaveLength(1);
    const [first, ...lines] = await uploadInProcess();
    expect(Number(first)).toBe(CHUNK_BYTES);
    expect(await readdir(join(folder, 'resume'))).toEqual([]);
    const path = join(folder, 'back.bin');
    await downloadToFile(vault, lines.at(-1) ?? '', path, { stateFolder: join(folder, 'state') });
    expect(hashOf(await readFile(path))).toBe(file.hash);
  });

  it('SDK-08: continues after connections that break off', async () => {
    const cuts = [20_000_000, 30_000_000].map((afterBytes) =>
      proxy.inject({ kind: 'cut', afterBytes, seconds: 0.5 }),
    );
    const seen: number[] = [];
    const { ingotId } = await upload(vault, await fileSource(file.path), {
      name: 'cut.bin',
      onProgress: ({ bytes }) => seen.push(bytes),
    });
    await Promise.all(cuts);
    expect(seen.at(-1)).toBe(file.bytes);
    const { body } = await download(vault, ingotId);
    expect(hashOf(new Uint8Array(await new Response(body).arrayBuffer()))).toBe(file.hash);
  });

  it('SDK-08: ends when the caller aborts it', async () => {
    const reason = new Error('the caller left');
    const control = new AbortController();
    const call = upload(vault, await fileSource(file.path), {
      name: 'aborted.bin',
      signal: control.signal,
      onProgress: ({ bytes }) => void (bytes > 1_000_000 && control.abort(reason)),
    });
    await expect(call).rejects.toBe(reason);
  });

  it('SDK-08: starts over where Forge no longer has the upload', async () => {
    const kept = { ingotId: 'ing_gone', uploadUrl: `${forge_url}/encrypt/gone` };
    const store = {
      load: async () => (uploads === 0 ? kept : undefined),
      save: async () => {},
      remove: async () => void uploads++,
    };
    let uploads = 0;
    const { ingotId } = await upload(vault, 'a text', { name: 'again.txt', resume: store });
    expect(ingotId).not.toBe(kept.ingotId);
    expect(await new Response((await download(vault, ingotId)).body).text()).toBe('a text');
  });
});

describe('A download of the client', () => {
  it('SDK-09: continues at the byte where its connection broke off', async () => {
    const { ingotId } = await upload(vault, await fileSource(file.path), { name: 'resumed.bin' });
    const { body, size } = await download(vault, ingotId);
    const reader = body.getReader();
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (bytes < 40_000_000 && bytes + part.value.length >= 40_000_000) proxy.cut();
      parts.push(part.value);
      bytes += part.value.length;
    }
    expect([bytes, size]).toEqual([file.bytes, file.bytes]);
    expect(hashOf(Buffer.concat(parts))).toBe(file.hash);
  });

  it('SDK-09: continues in a file that an earlier process left, and not in one of other content', async () => {
    const path = join(folder, 'part.bin');
    const { ingotId } = await upload(vault, await fileSource(file.path), { name: 'part.bin' });
    const stateFolder = join(folder, 'state');
    const control = new AbortController();
    const progress: number[] = [];
    const onProgress = ({ bytes }: { bytes: number }) => {
      progress.push(bytes);
      if (bytes > 30_000_000) control.abort(new Error('the process ends'));
    };
    await expect(
      downloadToFile(vault, ingotId, path, { stateFolder, onProgress, signal: control.signal }),
    ).rejects.toThrow('ends');
    progress.length = 0;
    const resumed = { stateFolder, onProgress: ({ bytes }: { bytes: number }) => progress.push(bytes) };
    await downloadToFile(vault, ingotId, path, resumed);
    expect(progress[0]).toBeGreaterThan(25_000_000);
    expect(hashOf(await readFile(path))).toBe(file.hash);

    await writeFile(`${path}.part`, 'not ours');
    const again = join(folder, 'part-again.bin');
    expect(await downloadToFile(vault, ingotId, again, { stateFolder })).toMatchObject({ verified: true });
    expect(hashOf(await readFile(again))).toBe(file.hash);
    expect(await readFile(`${path}.part`, 'utf8')).toBe('not ours');
    await expect(downloadToFile(vault, ingotId, again, { stateFolder })).rejects.toThrow('exists already');
  });

  it('SDK-09: is refused for a file that does not exist', async () => {
    await expect(download(vault, ':nothing.txt')).rejects.toMatchObject({ status: 404 });
  });
});
