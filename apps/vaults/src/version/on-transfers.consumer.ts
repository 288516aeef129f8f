import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import {
  bytesDiscarded,
  bytesSent,
  uploadEnded,
  uploadFinalized,
  type DiscardedChunk,
  type FinalizedUpload,
  type SentBytes,
  type UploadEnd,
} from '@vaultsvc/contracts/forge';
import type { Transaction } from '@vaultsvc/database';
import { ConsumesPartitioned } from '@vaultsvc/messaging';
import { VaultCounters, type Traffic } from '../vault/vault-counters.repository.js';
import { idsOf, receivedOf, VersionLifecycle } from './version-lifecycle.js';

type Moved = FinalizedUpload | UploadEnd | DiscardedChunk | SentBytes;

/** Applies transfer events of forge. One method consumes all of them, because it locks the vaults first. */
@Controller()
export class OnTransfers {
  constructor(
    private readonly counters: VaultCounters,
    private readonly lifecycle: VersionLifecycle,
  ) {}

  @ConsumesPartitioned('vault_id', uploadFinalized, uploadEnded, bytesDiscarded, bytesSent)
  async apply(deliveries: readonly Delivery<Moved>[], tx: Transaction): Promise<void> {
    const locked = await this.counters.lock(tx, [
      ...new Set(deliveries.map(({ payload }) => payload.vault_id)),
    ]);
    const ours = deliveries.filter(({ payload }) => locked.has(payload.vault_id));
    await this.counters.addTraffic(
      tx,
      ours.map(({ payload }) => trafficOf(payload)),
    );
    for (const delivery of ours) await this.#follow(tx, delivery);
  }

  /**
   * A complete upload becomes the content, unless the call of the same moment has activated it; an ended upload is
   * dropped.
   */
  async #follow(tx: Transaction, { requestId, payload }: Delivery<Moved>): Promise<void> {
    const from = { requestId, accountId: payload.account_id };
    if ('size_bytes' in payload) await this.lifecycle.activate(tx, idsOf(payload), receivedOf(payload), from);
    if ('received_bytes' in payload) await this.lifecycle.drop(tx, idsOf(payload), from);
  }
}

function trafficOf(payload: Moved): Traffic {
  return { vaultId: payload.vault_id, ingotId: payload.ingot_id, ...movedBy(payload) };
}

function movedBy(payload: Moved): Pick<Traffic, 'bytes' | 'downloads'> {
  if ('size_bytes' in payload) return { bytes: payload.size_bytes, downloads: 0 };
  if ('received_bytes' in payload) return { bytes: payload.received_bytes, downloads: 0 };
  return { bytes: payload.bytes, downloads: 'downloads' in payload ? payload.downloads : 0 };
}
