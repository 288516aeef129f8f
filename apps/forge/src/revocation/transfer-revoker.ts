import { Injectable } from '@nestjs/common';
import type { TransferRevocation } from '@vaultsvc/contracts/forge';
import { Database } from '@vaultsvc/database';
import { IstkRevocationRepository } from '../istk/istk-revocation.repository.js';
import { UploadLifecycle } from '../cleanup/upload-lifecycle.js';

/** The request that caused a revocation, and the deadline of its caller. */
export interface RevocationContext {
  readonly requestId: string | null;
  readonly deadlineMs?: number;
}

/**
 * Revokes the downloads of a seal; the downloads and unused uploads of a delegated key or link; and all transfers of a
 * version, ingot or vault. Idempotent.
 */
@Injectable()
export class TransferRevoker {
  constructor(
    private readonly database: Database,
    private readonly istks: IstkRevocationRepository,
    private readonly lifecycle: UploadLifecycle,
  ) {}

  /** Returns the number of revoked ISTKs. Bytes that are left at the deadline are dropped by the event. */
  async revoke(
    revocation: TransferRevocation,
    { requestId, deadlineMs }: RevocationContext,
  ): Promise<number> {
    const { scope, vault_id: vaultId } = revocation;
    switch (scope) {
      case 'seal':
        return this.istks.revokeDownloads(this.database, { vaultId, beforeEpoch: epochOf(revocation) });
      case 'dvak':
        return this.#revokeIssued(vaultId, subjectOf(revocation), requestId);
      case 'version':
        return this.lifecycle.drop(subjectOf(revocation), requestId);
      case 'ingot':
        return this.lifecycle.dropAll({ vaultId, ingotId: subjectOf(revocation) }, requestId, deadlineMs);
      case 'vault':
        return this.lifecycle.dropAll({ vaultId }, requestId, deadlineMs);
    }
  }

  async #revokeIssued(vaultId: string, dvakId: string, requestId: string | null): Promise<number> {
    return this.istks.revokeIssued(this.database, { vaultId, dvakId }, requestId);
  }
}

function epochOf({ seal_epoch: epoch }: TransferRevocation): number {
  if (epoch === null) throw new Error('A seal without its epoch');
  return epoch;
}

function subjectOf({ scope, subject_id: id }: TransferRevocation): string {
  if (id === null) throw new Error(`A revocation by ${scope} without a subject`);
  return id;
}
