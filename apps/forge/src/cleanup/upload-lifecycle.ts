import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { IstkRevocationRepository } from '../istk/istk-revocation.repository.js';
import { DeleteOrphanedObjects } from './delete-orphaned-objects.job.js';
import { UploadLifecycleRepository } from './upload-lifecycle.repository.js';

/** An ingot, or all of a vault. */
export interface UploadScope {
  readonly vaultId: string;
  readonly ingotId?: string;
}

/**
 * The ends of uploads and of the bytes that they brought. With the commit nobody reads or writes them any more; the
 * objects go soon after, and no answer waits for that.
 */
@Injectable()
export class UploadLifecycle {
  constructor(
    private readonly database: Database,
    private readonly uploads: UploadLifecycleRepository,
    private readonly istks: IstkRevocationRepository,
    private readonly outbox: Outbox,
    private readonly sweeps: DeleteOrphanedObjects,
  ) {}

  /**
   * Its uploader gives an upload up (FRG-15); what it received counts as partial transfer. One that is whole stays as it
   * is (FRG-17). `lookup` is that of the upload_id. Throws UPLOAD_NOT_FOUND.
   */
  async cancel(lookup: Buffer, requestId: string | null = null): Promise<void> {
    const isCancelled = await this.uploads.cancel(lookup, requestId);
    if (isCancelled) this.#ended();
    else if (!(await this.uploads.isFinished(lookup))) throw new AppError('UPLOAD_NOT_FOUND');
  }

  /**
   * Nobody waits for this version, or nobody has it any more: its ISTKs end, so that none begins, and its bytes whether
   * they are whole or not. Nothing happens to one that is unknown or dropped. Gives the number of ISTKs ended.
   */
  async drop(versionId: string, requestId: string | null = null): Promise<number> {
    const count = await this.database.transaction(async (tx) => {
      // ISTKs first: an upload that is just being opened with one is then either refused or found by the next statement.
      const ended = await this.istks.revokeAll(tx, { versionId });
      await this.uploads.dropVersion(tx, versionId, requestId);
      return ended;
    });
    this.#ended();
    return count;
  }

  /**
   * Everything of an ingot or a vault: all ISTKs at once, then the bytes in batches that commit one by one, until nothing
   * is left or `deadlineMs` has come; done again it goes on. Gives the number of ISTKs ended.
   */
  async dropAll(holder: UploadScope, requestId: string | null, deadlineMs = Infinity): Promise<number> {
    const count = await this.istks.revokeAll(this.database, holder);
    while ((await this.uploads.dropBatch(this.database, holder, requestId)) > 0 && Date.now() < deadlineMs);
    this.#ended();
    return count;
  }

  /**
   * Its ingot has other content now; downloads that were given out before go on. `keptUntil`: when the last one-time link
   * of this very content ends, in epoch seconds.
   */
  async replace(versionId: string, keptUntil: number | null = null): Promise<void> {
    await this.uploads.replace(versionId, keptUntil);
  }

  /**
   * Vaults says of a whole version that it is not the content of its ingot. Mostly it never will be, and is dropped. When
   * that answer was long on its way, the event has made it the content and another one has replaced it meanwhile: downloads
   * that were given out before go on. Vaults admits a download before it says so of a version that it was given out for.
   */
  async refuse(versionId: string, requestId: string | null = null): Promise<void> {
    if (await this.uploads.wasContent(versionId)) await this.replace(versionId);
    else await this.drop(versionId, requestId);
  }

  /** Ends what has been idle or open for too long, and what never began. */
  async expire(): Promise<void> {
    while ((await this.uploads.expireBatch()) > 0);
    while ((await this.uploads.expireUnusedIstksBatch()) > 0);
    this.#ended();
  }

  /** Drops replaced versions that no download needs any more. */
  async dropUnusedReplaced(): Promise<void> {
    for (let due; (due = await this.uploads.findUnusedReplaced()).length > 0;)
      for (const versionId of due) await this.drop(versionId);
  }

  #ended(): void {
    this.outbox.wake();
    this.sweeps.trigger();
  }
}
