import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../browser/browser.js';
import { pagesOrigin, stack } from '../stack.js';
import { Line } from './line.js';
import { RandomFile } from './random-file.js';
import { CHUNK_BYTES } from './tus-upload.js';
import { UppySite } from './uppy-page.js';
import { VaultWithFiles } from './vault-with-files.js';

const BYTES = 120_000_000;
const described = stack();
let browser: Browser;
let file: RandomFile;
let vault: VaultWithFiles;
let line: Line;
let site: UppySite;
/** Uploads that the page's server was asked for. */
const opened: string[] = [];

beforeAll(async () => {
  [browser, file, vault, line] = await Promise.all([
    launchBrowser(),
    RandomFile.make('film.bin', BYTES),
    VaultWithFiles.open(described),
    Line.to(described.forge_url),
  ]);
  site = await UppySite.start(pagesOrigin(), async ({ name, bytes }) => {
    const { ingot_id, forge_url } = await vault.openUpload(name, bytes);
    opened.push(ingot_id);
    return line.through(forge_url);
  });
});
afterAll(async () => {
  await Promise.all([browser.close(), file.remove(), line.close(), site.stop()]);
});

/** What the page asks of Forge, preflights aside, with the offset that goes there or comes back. */
function requestsOf(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(line.origin) || request.method() === 'OPTIONS') return;
    const { 'upload-offset': offset = '' } = request.headers();
    seen.push(`${request.method()} ${offset}`.trim());
  });
  return seen;
}

describe('Uppy in a browser, on a page of another origin', () => {
  it('FRG-34 OPEN-49 OPEN-54: resumes from the server’s offset after a reload in the middle, and the content is whole', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(100_000); // of an upload on a busy machine; Jest waits a little longer
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const choose = () => page.setInputFiles('#file', file.path);
    const before = requestsOf(page);
    await page.goto(pagesOrigin());
    const inSecondChunk = line.expect({ kind: 'hold', afterBytes: CHUNK_BYTES + 20_000_000 });
    await choose();
    await inSecondChunk;
    expect(before).toEqual(['POST', 'PATCH 0', `PATCH ${CHUNK_BYTES}`]);

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
