import { Injectable } from '@nestjs/common';
import { versionActivated, versionDropped, versionOpened, versionReleased } from '@vaultsvc/contracts/vaults';
import type { FileIds } from '@vaultsvc/crypto/container';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { VaultCounters } from './vault-counters.repository.js';
import { refOf, type Origin } from './version-mapping.js';
import { VersionRepository, type NewVersion, type PrunedVersion } from './version.repository.js';

/**
 * What becomes of a version, with its counters and events in one transaction: opened, then activated and at last
 * released, or dropped. Whoever activates holds the vault by `VaultCounters`.
 */
@Injectable()
export class VersionLifecycle {
  constructor(
    private readonly versions: VersionRepository,
    private readonly counters: VaultCounters,
    private readonly outbox: Outbox,
  ) {}

  /** Tells of an upload that was opened, and drops those that it supersedes, which it gives. */
  async open(tx: Transaction, version: NewVersion, from: Origin): Promise<readonly FileIds[]> {
    const fact = { ...refOf(version), size_bytes: version.sizeBytes };
    await this.outbox.publish(tx, versionOpened, fact, from);
    return this.#dropUnnamed(tx, version, from);
  }

  /**
   * Makes a pending version the content of its ingot. Asked again it answers alike; false: it will never be that, and
   * nobody wants it. One that was replaced meanwhile is wanted for as long as a one-time link gives it.
   */
  async activate(tx: Transaction, file: FileIds, sizeBytes: number, from: Origin): Promise<boolean> {
    if (!(await this.versions.promote(tx, file, sizeBytes))) return this.#isWanted(tx, file);
    const replaced = await this.versions.prune(tx, file.ingotId);
    const freedBytes = replaced.reduce((bytes, version) => bytes + version.sizeBytes, 0);
    const ingots = replaced.length > 0 ? 0 : 1;
    await this.counters.addContent(tx, file.vaultId, ingots, sizeBytes - freedBytes);
    await this.outbox.publish(tx, versionActivated, { ...refOf(file), size_bytes: sizeBytes }, from);
    for (const version of replaced) await this.#release(tx, file, version, from);
    return true;
  }

  /** Gives up a pending version; of any other one there is nothing to give up. */
  async drop(tx: Transaction, file: FileIds, from: Origin): Promise<void> {
    if (await this.versions.abandon(tx, file)) await this.#dropUnnamed(tx, file, from);
  }

  async #isWanted(tx: Transaction, file: FileIds): Promise<boolean> {
    return (await this.versions.isCurrent(file, tx)) || this.versions.isLinked(file, tx);
  }

  async #release(tx: Transaction, file: FileIds, version: PrunedVersion, from: Origin): Promise<void> {
    const { versionId, sizeBytes, keptUntil } = version;
    const release = {
      ...refOf({ ...file, versionId }),
      size_bytes: sizeBytes,
      reason: 'replaced',
      kept_until: keptUntil,
    } as const;
    await this.outbox.publish(tx, versionReleased, release, from);
  }

  async #dropUnnamed(tx: Transaction, file: FileIds, from: Origin): Promise<readonly FileIds[]> {
    const { accountId, vaultId, ingotId } = file;
    const pruned = await this.versions.prune(tx, ingotId);
    const dropped = pruned.map(({ versionId }) => ({ accountId, vaultId, ingotId, versionId }));
    for (const version of dropped) await this.outbox.publish(tx, versionDropped, refOf(version), from);
    return dropped;
  }
}
