import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { bytesDiscarded, bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import {
  entropyGenerated,
  sparkCreated,
  sparkDeleted,
  sparkExpired,
  sparkRead,
} from '@vaultsvc/contracts/sparks';
import {
  structuredCreated,
  structuredDeleted,
  structuredOverwritten,
  structuredRemoved,
  structuredUpdated,
} from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { entriesOf } from '../ledger/ledger-entries.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { drawsOf, PoolUpdater } from '../pool/pool-updater.js';

/** Appends usage to the ledger and draws it from the pools of the account. */
@Controller()
export class OnUsage {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly pools: PoolUpdater,
  ) {}

  @Consumes(sparkCreated, sparkRead, sparkDeleted, sparkExpired)
  sparkUsed(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    return this.#book(deliveries, tx);
  }

  /** Entropy that was returned to a caller (ENT-20). */
  @Consumes(entropyGenerated)
  entropyGenerated(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    return this.#book(deliveries, tx);
  }

  /** Bytes of uploads and downloads, complete or not (FRG-16). */
  @Consumes(uploadFinalized, uploadEnded, bytesDiscarded, bytesSent)
  bytesTransferred(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    return this.#book(deliveries, tx);
  }

  @Consumes(structuredCreated, structuredOverwritten, structuredUpdated, structuredDeleted, structuredRemoved)
  structuredChanged(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    return this.#book(deliveries, tx);
  }

  async #book(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    const entries = deliveries.flatMap(entriesOf);
    await this.ledger.append(tx, entries);
    await this.pools.draw(tx, drawsOf(entries));
  }
}
