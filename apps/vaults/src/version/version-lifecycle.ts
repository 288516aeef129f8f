import { Injectable } from '@nestjs/common';
import {
  type FinishedVersion,
  versionActivated,
  versionDropped,
  versionOpened,
  versionReleased,
  type VersionRef,
} from '@vaultsvc/contracts/vaults';
import type { FileIds } from '@vaultsvc/crypto/container';
import type { Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { VaultCounters } from '../vault/vault-counters.repository.js';
import {
  VersionRepository,
  type NewVersion,
  type PrunedVersion,
  type ReceivedContent,
} from './version.repository.js';

/** The request and the account that events of a version name. */
export interface EventCause {
  readonly requestId: string | null;
  readonly accountId: string;
}

/** The versions of an ingot that is deleted. */
interface EndedVersions {
  readonly currentVersion: string | null;
  readonly pendingVersion: string | null;
  /** Of the current version. */
  readonly sizeBytes: number;
}

/**
 * The states of a version, with counters and events in the same transaction: opened, then activated and finally released,
 * or dropped. Callers that activate or end versions lock the vault with `VaultCounters.lock` first.
 */
@Injectable()
export class VersionLifecycle {
  constructor(
    private readonly versions: VersionRepository,
    private readonly counters: VaultCounters,
    private readonly outbox: Outbox,
  ) {}

  /** Publishes the opening of an upload, and drops and returns the pending versions that it supersedes. */
  async open(tx: Transaction, version: NewVersion, from: EventCause): Promise<readonly FileIds[]> {
    const fact = { ...refOf(version), size_bytes: version.sizeBytes };
    await this.outbox.publish(tx, versionOpened, fact, from);
    return this.#dropUnreferenced(tx, version, from);
  }

  /**
   * Makes a pending version the content of its ingot; idempotent. False: the version can never become the content, and its
   * bytes may be deleted. A replaced version is kept for as long as a one-time link serves it.
   */
  async activate(
    tx: Transaction,
    file: FileIds,
    received: ReceivedContent,
    from: EventCause,
  ): Promise<boolean> {
    if (!(await this.versions.promote(tx, file, received))) return this.#isInUse(tx, file, received);
    const { sizeBytes } = received;
    const replaced = await this.versions.prune(tx, file.ingotId);
    const freedBytes = replaced.reduce((bytes, version) => bytes + version.sizeBytes, 0);
    const ingots = replaced.length > 0 ? 0 : 1;
    await this.counters.addContent(tx, file.vaultId, ingots, sizeBytes - freedBytes);
    await this.outbox.publish(tx, versionActivated, { ...refOf(file), size_bytes: sizeBytes }, from);
    for (const version of replaced) await this.#release(tx, file, version, from);
    return true;
  }

  /** Drops a version if it is pending. */
  async drop(tx: Transaction, file: FileIds, from: EventCause): Promise<void> {
    if (await this.versions.abandon(tx, file)) await this.#dropUnreferenced(tx, file, from);
  }

  /** Ends the versions of an ingot that was deleted in this transaction (ING-36). */
  async endAll(
    tx: Transaction,
    ingot: Omit<FileIds, 'versionId'>,
    { currentVersion, pendingVersion, sizeBytes }: EndedVersions,
    from: EventCause,
  ): Promise<void> {
    if (currentVersion !== null) {
      await this.counters.addContent(tx, ingot.vaultId, -1, -sizeBytes);
      const ref = refOf({ ...ingot, versionId: currentVersion });
      const release = { ...ref, size_bytes: sizeBytes, reason: 'deleted', kept_until: null } as const;
      await this.outbox.publish(tx, versionReleased, release, from);
    }
    if (pendingVersion !== null)
      await this.outbox.publish(tx, versionDropped, refOf({ ...ingot, versionId: pendingVersion }), from);
  }

  async #isInUse(tx: Transaction, file: FileIds, received: ReceivedContent): Promise<boolean> {
    await this.versions.addHash(tx, file, received);
    return (await this.versions.isCurrent(file, tx)) || this.versions.isLinked(file, tx);
  }

  async #release(tx: Transaction, file: FileIds, version: PrunedVersion, from: EventCause): Promise<void> {
    const { versionId, sizeBytes, keptUntil } = version;
    const release = {
      ...refOf({ ...file, versionId }),
      size_bytes: sizeBytes,
      reason: 'replaced',
      kept_until: keptUntil,
    } as const;
    await this.outbox.publish(tx, versionReleased, release, from);
  }

  async #dropUnreferenced(tx: Transaction, file: FileIds, from: EventCause): Promise<readonly FileIds[]> {
    const { accountId, vaultId, ingotId } = file;
    const pruned = await this.versions.prune(tx, ingotId);
    const dropped = pruned.map(({ versionId }) => ({ accountId, vaultId, ingotId, versionId }));
    for (const version of dropped) await this.outbox.publish(tx, versionDropped, refOf(version), from);
    return dropped;
  }
}

function refOf({ accountId, vaultId, ingotId, versionId }: FileIds): VersionRef {
  return { account_id: accountId, vault_id: vaultId, ingot_id: ingotId, version_id: versionId };
}

/** The version that a message names. */
export function idsOf({ account_id, vault_id, ingot_id, version_id }: VersionRef): FileIds {
  return { accountId: account_id, vaultId: vault_id, ingotId: ingot_id, versionId: version_id };
}

/** What the message of a complete upload tells of the content. */
export function receivedOf({
  size_bytes: sizeBytes,
  sealed_hash: hash,
}: Pick<FinishedVersion, 'size_bytes' | 'sealed_hash'>): ReceivedContent {
  return { sizeBytes, sealedHash: hash ? Buffer.from(hash, 'hex') : null };
}
