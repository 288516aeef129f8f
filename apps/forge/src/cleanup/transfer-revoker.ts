import { Injectable } from '@nestjs/common';
import type { TransferRevocation } from '@vaultsvc/contracts/forge';
import { Database } from '@vaultsvc/database';
import { IstkRevocationRepository } from '../istk/istk-revocation.repository.js';
import { UploadLifecycle } from './upload-lifecycle.js';

/** On whose account a revocation comes, and until when its caller waits. */
export interface RevocationContext {
  readonly requestId: string | null;
  readonly deadlineMs?: number;
}

/** What ends with a seal, a key, a version, an ingot or a vault. It may come twice: what has ended stays ended. */
@Injectable()
export class TransferRevoker {
  constructor(
    private readonly database: Database,
    private readonly istks: IstkRevocationRepository,
    private readonly ends: UploadLifecycle,
  ) {}

  /** Gives the number of ISTKs that it has ended. Bytes that the deadline leaves over are dropped when it comes again. */
  async revoke(
    revocation: TransferRevocation,
    { requestId, deadlineMs }: RevocationContext,
  ): Promise<number> {
    const { scope, vault_id: vaultId } = revocation;
    switch (scope) {
      case 'seal':
        return this.istks.revokeDownloads(this.database, { vaultId, beforeEpoch: epochOf(revocation) });
      case 'dvak':
        return this.istks.revokeDownloads(this.database, { vaultId, dvakId: subjectOf(revocation) });
      case 'version':
        return this.ends.drop(subjectOf(revocation), requestId);
      case 'ingot':
        return this.ends.dropAll({ vaultId, ingotId: subjectOf(revocation) }, requestId, deadlineMs);
      case 'vault':
        return this.ends.dropAll({ vaultId }, requestId, deadlineMs);
    }
  }
}

function epochOf({ seal_epoch: epoch }: TransferRevocation): number {
  if (epoch === null) throw new Error('A seal is told without its epoch');
  return epoch;
}

function subjectOf({ scope, subject_id: id }: TransferRevocation): string {
  if (id === null) throw new Error(`A revocation by ${scope} names none`);
  return id;
}
