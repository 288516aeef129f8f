import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { send } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import { objectKeysOf, storedContent } from '../testing/stored-file.js';
import { mintTransfer, type MintedTransfer } from '../testing/transfers.js';
import { forgeUrl, newUpload, sendChunk, tus, upload } from '../testing/uploads.js';
import { CHUNK_BYTES } from '@vaultsvc/crypto/container';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: string;
beforeAll(async () => {
  url = forgeUrl(service);
});

const eventsOf = ({ versionId }: MintedTransfer) =>
  outboxEvents(service, { version_id: versionId }, { columns: ['name', 'payload'] });

describe('DELETE /encrypt/{upload_id}', () => {
  it('FRG-15 FRG-16 TRAP 60: answers 204, deletes and publishes the received bytes, and makes the upload unknown', async () => {
    const bytes = CHUNK_BYTES + 10;
    const transfer = await mintTransfer(harness, { sizeBytes: bytes });
    const location = await newUpload(url, transfer.istk, bytes);
    await sendChunk(url, location, 0, Buffer.alloc(CHUNK_BYTES));
    const cancelled = await tus(url, 'DELETE', location);
    expect([cancelled.status, cancelled.headers['tus-resumable']]).toEqual([204, '1.0.0']);
    await eventually(
      () => objectKeysOf(service, transfer.versionId),
      (keys) => keys.length === 0,
    );
    expect((await sendChunk(url, location, CHUNK_BYTES, Buffer.alloc(10))).status).toBe(404);
    expect((await tus(url, 'HEAD', location)).status).toBe(404);
    expect((await tus(url, 'DELETE', location)).status).toBe(404);
    expect(await eventsOf(transfer)).toEqual([
      {
        name: 'forge.upload-ended',
        payload: expect.objectContaining({ reason: 'cancelled', received_bytes: CHUNK_BYTES }),
      },
    ]);
  });

  it('FRG-17: answers 204 for a finished upload, and keeps its content', async () => {
    const content = Buffer.from('content');
    const transfer = await mintTransfer(harness, { sizeBytes: content.length });
    const location = await upload(url, transfer.istk, content);
    expect((await tus(url, 'DELETE', location)).status).toBe(204);
    expect(await storedContent(service, transfer, content.length)).toEqual(content);
    expect((await eventsOf(transfer)).map(({ name }) => name)).toEqual(['forge.upload-finalized']);
  });

  it('FRG-33 OPEN-14: answers 404 for an unknown upload, 412 for another version of the protocol; the version is optional', async () => {
    expect((await tus(url, 'DELETE', `/encrypt/${'A'.repeat(43)}`)).status).toBe(404);
    expect((await tus(url, 'DELETE', '/encrypt/x')).status).toBe(404);
    const { istk } = await mintTransfer(harness, { sizeBytes: 5 });
    const location = await newUpload(url, istk, 5);
    const other = { method: 'DELETE', target: location, headers: { 'Tus-Resumable': '0.2.2' } };
    expect((await send(url, other)).status).toBe(412);
    expect((await tus(url, 'HEAD', location)).status).toBe(200);
    expect((await send(url, { method: 'DELETE', target: location })).status).toBe(204);
    expect((await tus(url, 'HEAD', location)).status).toBe(404);
  });
});
