import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import type { TransferRevocation } from '@vaultsvc/contracts/forge';
import {
  dvakRevoked,
  ingotDeleted,
  sharingDisabled,
  vaultDeleted,
  vaultSealed,
  versionDropped,
  versionReleased,
  type DvakAction,
  type IngotAction,
  type SharingAction,
  type VaultAction,
  type VaultSealing,
  type VersionRef,
  type VersionRelease,
} from '@vaultsvc/contracts/vaults';
import { Consumes } from '@vaultsvc/messaging';
import { TransferRevoker } from './transfer-revoker.js';
import { UploadLifecycle } from '../cleanup/upload-lifecycle.js';

/**
 * Applies the events of changes in vaults, and so completes calls of `forge.revoke-transfers` that failed or timed out.
 *
 * It works outside the transaction that records the events as processed: a vault may have too many versions for the locks
 * and the time of one transaction. A redelivery is harmless, because every step is idempotent.
 */
@Controller()
export class OnVaultsChanged {
  constructor(
    private readonly revoker: TransferRevoker,
    private readonly lifecycle: UploadLifecycle,
  ) {}

  @Consumes(vaultSealed)
  async sealed(deliveries: readonly Delivery<VaultSealing>[]): Promise<void> {
    for (const delivery of deliveries)
      await this.#revoke(delivery, { scope: 'seal', seal_epoch: delivery.payload.seal_epoch });
  }

  @Consumes(dvakRevoked)
  async dvakRevoked(deliveries: readonly Delivery<DvakAction>[]): Promise<void> {
    for (const delivery of deliveries)
      await this.#revoke(delivery, { scope: 'dvak', subject_id: delivery.payload.dvak_id });
  }

  /** ISTKs of a link carry its id in place of a delegated key's. */
  @Consumes(sharingDisabled)
  async sharingDisabled(deliveries: readonly Delivery<SharingAction>[]): Promise<void> {
    for (const delivery of deliveries)
      await this.#revoke(delivery, { scope: 'dvak', subject_id: delivery.payload.link_id });
  }

  @Consumes(vaultDeleted)
  async vaultDeleted(deliveries: readonly Delivery<VaultAction>[]): Promise<void> {
    for (const delivery of deliveries) await this.#revoke(delivery, { scope: 'vault' });
  }

  @Consumes(ingotDeleted)
  async ingotDeleted(deliveries: readonly Delivery<IngotAction>[]): Promise<void> {
    for (const delivery of deliveries)
      await this.#revoke(delivery, { scope: 'ingot', subject_id: delivery.payload.ingot_id });
  }

  @Consumes(versionDropped)
  async versionDropped(deliveries: readonly Delivery<VersionRef>[]): Promise<void> {
    for (const delivery of deliveries)
      await this.#revoke(delivery, { scope: 'version', subject_id: delivery.payload.version_id });
  }

  @Consumes(versionReleased)
  async versionReleased(deliveries: readonly Delivery<VersionRelease>[]): Promise<void> {
    for (const delivery of deliveries) {
      const { version_id, reason, kept_until: keptUntil } = delivery.payload;
      if (reason === 'replaced') await this.lifecycle.replace(version_id, keptUntil);
      else await this.#revoke(delivery, { scope: 'version', subject_id: version_id });
    }
  }

  async #revoke(
    { payload, requestId }: Delivery<{ vault_id: string }>,
    revocation: Pick<TransferRevocation, 'scope'> & Partial<TransferRevocation>,
  ): Promise<void> {
    const complete = { vault_id: payload.vault_id, seal_epoch: null, subject_id: null, ...revocation };
    await this.revoker.revoke(complete, { requestId });
  }
}
