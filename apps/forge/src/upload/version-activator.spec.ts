import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { activateVersion, type FinishedVersion, type VersionActivation } from '@vaultsvc/contracts/vaults';
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

let answer: () => Promise<VersionActivation>;
const asked: FinishedVersion[] = [];

/** Stands where vaults stands, and answers what a test tells it to. */
@Injectable()
class Activate {
  @Handles(activateVersion)
  async handle({ body }: Input<typeof activateVersion>, _context: CallContext): Promise<VersionActivation> {
    asked.push(body);
    return answer();
  }
}

@Module({ providers: [Activate] })
class VaultsModule {}

const vaults = defineService({ name: 'vaults', config: ServiceConfig, module: VaultsModule });

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: string;
beforeAll(async () => {
  service.context.get(UploadTimeouts).activationTimeoutMs = 20_000; // a busy machine may hold up the answer
  url = forgeUrl(service);
});
afterEach(() => void asked.splice(0));

async function finish() {
  const transfer = await mintTransfer(harness, { sizeBytes: 9 });
  const location = await newUpload(url, transfer.istk, 5);
  const began = Date.now();
  const { status } = await sendChunk(url, location, 0, Buffer.from('bytes'));
  return { transfer, location, status, elapsedMs: Date.now() - began };
}

describe('the last byte makes the content the current one', () => {
  it('FRG-32: without vaults the answer is 204 all the same, and the event is there to be applied', async () => {
    const { transfer, status } = await finish();
    expect(status).toBe(204);
    const told = await outboxEvents(service, { version_id: transfer.versionId }, { columns: ['name'] });
    expect(told).toEqual([{ name: 'forge.upload-finalized' }]);
  });

  it('FRG-32 ING-40: vaults is asked before the answer, with the bytes that were received', async () => {
    await harness.start(vaults);
    answer = () => Promise.resolve({ is_active: true });
    const { transfer, location, status } = await finish();
    expect(status).toBe(204);
    expect(asked).toEqual([
      {
        account_id: transfer.accountId,
        vault_id: transfer.vaultId,
        ingot_id: transfer.ingotId,
        version_id: transfer.versionId,
        size_bytes: 5,
      },
    ]);
    expect((await tus(url, 'HEAD', location)).headers['upload-offset']).toBe('5');
  });

  it('a version that was superseded or deleted meanwhile is dropped: 204, and its bytes go', async () => {
    answer = () => Promise.resolve({ is_active: false });
    const { transfer, location, status } = await finish();
    expect(status).toBe(204);
    expect((await tus(url, 'HEAD', location)).status).toBe(404);
    await eventually(
      () => objectKeysOf(service, transfer.versionId),
      (keys) => keys.length === 0,
    );
  });

  it('vaults that does not answer is waited for so long and no longer', async () => {
    expect(new UploadTimeouts().activationTimeoutMs).toBe(2_000);
    service.context.get(UploadTimeouts).activationTimeoutMs = 300;
    let refuse = (): void => undefined;
    answer = () => new Promise((resolve) => (refuse = () => resolve({ is_active: false })));
    const { location, status, elapsedMs } = await finish();
    expect(status).toBe(204);
    expect(elapsedMs).toBeGreaterThanOrEqual(290);
    expect((await tus(url, 'HEAD', location)).status).toBe(200);
    refuse();
  });
});
