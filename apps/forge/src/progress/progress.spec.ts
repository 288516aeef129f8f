import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import { type MintedTransfer, mintTransfer } from '../testing/transfers.js';

let downloads: DownloadFixture;
let file: MintedTransfer;
beforeAll(async () => {
  downloads = await startDownloadFixture();
  file = await downloads.store(randomBytes(1_000));
});
afterAll(() => downloads.harness.stop());

const getProgress = (query: string) => fetch(`${downloads.url}/progress${query}`);
const shown = async ({ istk }: MintedTransfer) => (await getProgress(`?istk=${istk}`)).json();
const progress = (bytes_downloaded: number, bytes_processed: number, status: string) => ({
  success: true,
  progress: { bytes_downloaded, bytes_processed, total_bytes: 1_000, status },
});
const set = ({ versionId }: MintedTransfer, text: string) =>
  downloads.sql(`UPDATE uploads SET ${text} WHERE version_id = $1`, [versionId]);

describe('FRG-22 FRG-23: GET /progress', () => {
  it('AMB-29: answers 400 without an ISTK, 404 for an unknown one', async () => {
    for (const query of ['', '?istk=', `?istk=${file.istk}&istk=${file.istk}`, '?other=1'])
      expect((await getProgress(query)).status).toBe(400);
    for (const unknown of ['A'.repeat(43), 'x', `${file.istk}=`])
      expect((await getProgress(`?istk=${unknown}`)).status).toBe(404);
  });

  it('shows a download before and after it, without an envelope and without consuming its ISTK', async () => {
    const istk = await downloads.mint(file);
    const response = await getProgress(`?istk=${istk.istk}`);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual(progress(0, 0, 'pending'));
    expect((await (await downloads.get(istk.istk)).arrayBuffer()).byteLength).toBe(1_000);
    const done = progress(1_000, 1_000, 'complete');
    expect(
      await eventually(
        () => shown(istk),
        (seen) => JSON.stringify(seen) === JSON.stringify(done),
      ),
    ).toEqual(done);
  });

  it('shows a running download, a cut one, and one whose ISTK has expired', async () => {
    const [running, expired] = [await downloads.mint(file), await downloads.mint(file)];
    const move = (published: number) =>
      downloads.sql(
        `UPDATE istks SET used_at = now(), bytes_moved = 300, bytes_told = $2 WHERE lookup = $1`,
        [running.lookup, published],
      );
    await move(0);
    expect(await shown(running)).toEqual(progress(300, 300, 'active'));
    await move(300);
    expect(await shown(running)).toEqual(progress(300, 300, 'failed'));
    await downloads.sql(`UPDATE istks SET expires_at = now() WHERE lookup = $1`, [expired.lookup]);
    expect(await shown(expired)).toEqual(progress(0, 0, 'failed'));
  });

  it('counts the bytes of a streaming ISTK up to one content', async () => {
    const istk = await downloads.stream(file);
    for (let use = 0; use < 3; use += 1) await (await downloads.get(istk.istk)).arrayBuffer();
    const full = await eventually(
      () => shown(istk),
      (seen) => JSON.stringify(seen).includes('complete'),
    );
    expect(full).toEqual(progress(1_000, 1_000, 'complete'));
  });

  it('shows an upload that is pending, active, complete or dropped', async () => {
    const upload = await mintTransfer(downloads.harness, { sizeBytes: 1_000 });
    expect(await shown(upload)).toEqual(progress(0, 0, 'pending'));
    const finished = await downloads.store(randomBytes(1_000));
    expect(await shown(finished)).toEqual(progress(0, 1_000, 'complete'));
    await set(finished, `status = 'open', wrapped_key = 'x', offset_bytes = 400`);
    expect(await shown(finished)).toEqual(progress(0, 400, 'active'));
    await set(finished, `status = 'dropped', wrapped_key = NULL`);
    expect(await shown(finished)).toEqual(progress(0, 400, 'failed'));
  });
});
