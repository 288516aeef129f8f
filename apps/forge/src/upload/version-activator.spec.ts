import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { activateVersion, type FinishedVersion, type VersionActivation } from '@vaultsvc/contracts/vaults';
import { openContentHash } from '@vaultsvc/crypto/container';
import { Handles } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import { objectKeysOf } from '../testing/stored-file.js';
import { mintTransfer } from '../testing/transfers.js';
import { forgeUrl, newUpload, sendChunk, tus } from '../testing/uploads.js';
import { UploadTimeouts } from './upload-timeouts.js';

/** `printf bytes | sha256sum`. */
const SHA256_OF_BYTES = '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9';

let answer: () => Promise<VersionActivation>;
const received: FinishedVersion[] = [];

/** A fake of vaults, which answers as the test sets it. */
@Controller()
class Activate {
  @Handles(activateVersion)
  async handle({ body }: Input<typeof activateVersion>, _context: CallContext): Promise<VersionActivation> {
    received.push(body);
    return answer();
  }
}

@Module({ controllers: [Activate] })
class VaultsModule {}

const vaults = defineService({ name: 'vaults', config: ServiceConfig, module: VaultsModule });

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: string;
beforeAll(async () => {
  service.context.get(UploadTimeouts).activationTimeoutMs = 20_000; // a busy machine may delay the answer
  url = forgeUrl(service);
});
afterEach(() => void received.splice(0));

async function finish() {
  const transfer = await mintTransfer(harness, { sizeBytes: 9 });
  const location = await newUpload(url, transfer.istk, 5);
  const startedMs = Date.now();
  const { status } = await sendChunk(url, location, 0, Buffer.from('bytes'));
  return { transfer, location, status, elapsedMs: Date.now() - startedMs };
}

describe('the last chunk of an upload', () => {
  it('FRG-32: is answered 204 without vaults, and leaves the event to be consumed', async () => {
    const { transfer, status } = await finish();
    expect(status).toBe(204);
    const events = await outboxEvents(service, { version_id: transfer.versionId }, { columns: ['name'] });
    expect(events).toEqual([{ name: 'forge.upload-finalized' }]);
  });

  it('FRG-32 FRG-37 ING-40: activates the version in vaults before the response, with the number and the hash of its bytes', async () => {
    await harness.start(vaults);
    answer = () => Promise.resolve({ is_active: true });
    const { transfer, location, status } = await finish();
    expect(status).toBe(204);
    expect(received).toEqual([
      {
        account_id: transfer.accountId,
        vault_id: transfer.vaultId,
        ingot_id: transfer.ingotId,
        version_id: transfer.versionId,
        size_bytes: 5,
        sealed_hash: expect.stringMatching(/^[0-9a-f]{258}$/),
      },
    ]);
    const sealed = received[0]?.sealed_hash ?? '';
    const file = { ...transfer, bytes: 5 };
    const hash = openContentHash(transfer.fileKey, file, Buffer.from(sealed, 'hex'));
    expect(hash.toString('hex')).toBe(SHA256_OF_BYTES);
    expect((await tus(url, 'HEAD', location)).headers['upload-offset']).toBe('5');
  });

  it('is answered 204 and its content deleted when the version was superseded or deleted', async () => {
    answer = () => Promise.resolve({ is_active: false });
    const { transfer, location, status } = await finish();
    expect(status).toBe(204);
    expect((await tus(url, 'HEAD', location)).status).toBe(404);
    await eventually(
      () => objectKeysOf(service, transfer.versionId),
      (keys) => keys.length === 0,
    );
  });

  it('waits for vaults up to a timeout', async () => {
    expect(new UploadTimeouts().activationTimeoutMs).toBe(8_000);
    service.context.get(UploadTimeouts).activationTimeoutMs = 300;
    let reject = (): void => undefined;
    answer = () => new Promise((resolve) => (reject = () => resolve({ is_active: false })));
    const { location, status, elapsedMs } = await finish();
    expect(status).toBe(204);
    expect(elapsedMs).toBeGreaterThanOrEqual(290);
    expect((await tus(url, 'HEAD', location)).status).toBe(200);
    reject();
  });
});
