import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openContext } from '../browser/browser.js';
import { pagesOrigin, stack } from '../stack.js';
import { TcpFaultProxy } from './tcp-fault-proxy.js';
import { RandomFile } from './random-file.js';
import { CHUNK_BYTES } from './tus-upload.js';
import { UppySite } from './uppy-site.js';
import { FileVault } from './file-vault.js';

const BYTES = 120_000_000;
const running = stack();
let browser: Browser;
let file: RandomFile;
let vault: FileVault;
let proxy: TcpFaultProxy;
let site: UppySite;
/** The ids of the ingots whose uploads the page requested. */
const opened: string[] = [];

beforeAll(async () => {
  [browser, file, vault, proxy] = await Promise.all([
    launchBrowser(),
    RandomFile.make('film.bin', BYTES),
    FileVault.open(running),
    TcpFaultProxy.start(running.forge_url),
  ]);
  site = await UppySite.start(pagesOrigin(), async ({ name, bytes }) => {
    const { ingot_id, forge_url } = await vault.openUpload(name, bytes);
    opened.push(ingot_id);
    return proxy.proxied(forge_url);
  });
});
afterAll(async () => {
  await Promise.all([browser.close(), file.remove(), proxy.close(), site.stop()]);
});

/** Records the page's requests to Forge with their offsets, without preflights. */
function requestsOf(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(proxy.origin) || request.method() === 'OPTIONS') return;
    const { 'upload-offset': offset = '' } = request.headers();
    seen.push(`${request.method()} ${offset}`.trim());
  });
  return seen;
}

describe('Uppy in a browser, on a page of another origin', () => {
  it('FRG-34 OPEN-49 OPEN-54: resumes from the server’s offset after a reload during the upload, and the content is complete', async () => {
    const page = await (await openContext(browser)).newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const choose = () => page.setInputFiles('#file', file.path);
    const before = requestsOf(page);
    await page.goto(pagesOrigin());
    const inSecondChunk = proxy.inject({ kind: 'hold', afterBytes: CHUNK_BYTES + 20_000_000 });
    await choose();
    await inSecondChunk;
    const sent = await eventually(
      () => [...before],
      ({ length }) => length > 2,
    );
    expect(sent).toEqual(['POST', 'PATCH 0', `PATCH ${CHUNK_BYTES}`]);

    before.length = 0;
    await page.reload();
    await choose();
    await page.getByText('complete: 1').waitFor();
    expect(before).toEqual(['HEAD', `PATCH ${CHUNK_BYTES}`, `PATCH ${2 * CHUNK_BYTES}`]);
    expect(opened).toHaveLength(1);
    expect(errors).toEqual([]);
    expect(await vault.downloadedHash(opened[0] ?? '')).toBe(file.hash);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).toBe('{}');
  });
});
