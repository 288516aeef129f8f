import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database } from '@vaultsvc/database';
import { IstkRevocationRepository } from '../istk/istk-revocation.repository.js';
import { DeleteOrphanedObjects } from './delete-orphaned-objects.job.js';
import { UploadLifecycleRepository } from './upload-lifecycle.repository.js';

/** An ingot, or a whole vault. */
export interface UploadScope {
  readonly vaultId: string;
  readonly ingotId?: string;
}

/**
 * Ends uploads and deletes the content that they stored. After the commit no request can read or write it; the objects
 * are deleted soon afterwards, without delaying the response.
 */
@Injectable()
export class UploadLifecycle {
  constructor(
    private readonly database: Database,
    private readonly uploads: UploadLifecycleRepository,
    private readonly istks: IstkRevocationRepository,
    private readonly orphans: DeleteOrphanedObjects,
  ) {}

  /**
   * Cancels an open upload (FRG-15); its received bytes count as a partial transfer. Does nothing to a finished upload
   * (FRG-17). `lookup` is the hash of the upload id. Throws UPLOAD_NOT_FOUND.
   */
  async cancel(lookup: Buffer, requestId: string | null = null): Promise<void> {
    const isCancelled = await this.uploads.cancel(lookup, requestId);
    if (isCancelled) this.orphans.trigger();
    else if (!(await this.uploads.isFinished(lookup))) throw new AppError('UPLOAD_NOT_FOUND');
  }

  /**
   * Revokes the ISTKs of a version and drops its bytes, whether the upload is finished or not. Does nothing to a version
   * that is unknown or dropped. Returns the number of revoked ISTKs.
   */
  async drop(versionId: string, requestId: string | null = null): Promise<number> {
    const count = await this.database.transaction(async (tx) => {
      // ISTKs first: a concurrent POST is then either refused, or its upload is found by the next statement.
      const revoked = await this.istks.revokeAll(tx, { versionId });
      await this.uploads.dropVersion(tx, versionId, requestId);
      return revoked;
    });
    this.orphans.trigger();
    return count;
  }

  /**
   * Revokes all ISTKs of an ingot or a vault in one statement. Then drops the uploads in batches that commit one by one,
   * until none is left or `deadlineMs` has passed; a repeated call continues. Returns the number of revoked ISTKs.
   */
  async dropAll(scope: UploadScope, requestId: string | null, deadlineMs = Infinity): Promise<number> {
    const count = await this.istks.revokeAll(this.database, scope);
    while ((await this.uploads.dropBatch(this.database, scope, requestId)) > 0 && Date.now() < deadlineMs);
    this.orphans.trigger();
    return count;
  }

  /**
   * Marks a version as replaced by newer content; downloads with existing ISTKs continue. `keptUntil`: the end of the last
   * one-time link of this version, in epoch seconds.
   */
  async replace(versionId: string, keptUntil: number | null = null): Promise<void> {
    await this.uploads.replace(versionId, keptUntil);
  }

  /**
   * Handles the answer of vaults that a finished version is not the content of its ingot. Drops a version that never was.
   * If the answer is late, the event may have activated the version and another one replaced it: then the version is
   * replaced, and downloads with existing ISTKs continue. Vaults admits each download before it gives that answer.
   */
  async reject(versionId: string, requestId: string | null = null): Promise<void> {
    if (await this.uploads.wasContent(versionId)) await this.replace(versionId);
    else await this.drop(versionId, requestId);
  }

  /** Ends uploads that were idle or open for too long, and upload ISTKs that expired unused. */
  async expire(): Promise<void> {
    while ((await this.uploads.expireBatch()) > 0);
    while ((await this.uploads.expireUnusedIstksBatch()) > 0);
    this.orphans.trigger();
  }

  /** Drops replaced versions that no download needs any more. */
  async dropUnusedReplaced(): Promise<void> {
    for (let due; (due = await this.uploads.findUnusedReplaced()).length > 0;)
      for (const versionId of due) await this.drop(versionId);
  }
}
