import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { type Event } from '@vaultsvc/contracts';
import { revokeTransfers, type TransferRevocation } from '@vaultsvc/contracts/forge';
import { newId } from '@vaultsvc/crypto/encoding';
import { parseBearer } from '@vaultsvc/crypto/tokens';
import { serviceStorage } from '@vaultsvc/messaging';
import { Objects } from '@vaultsvc/objects';
import { defineService, type RunningService } from '@vaultsvc/service';
import {
  type Harness,
  internalContext,
  publishFrom,
  rowsOf,
  startHarness,
  stopSchedule,
} from '@vaultsvc/testing/harness';
import { forge } from '../service-definition.js';
import { objectKeysOf } from './stored-file.js';
import { mintTransfer, type MintedTransfer, type TransferOptions } from './transfers.js';
import { objectKeyOf } from '../cleanup/object-key.js';
import { UploadCreator } from '../upload/upload-creator.js';
import { uploadSecretOf } from '../upload/upload.js';
import { type ChunkCommit, UploadRepository } from '../upload/upload.repository.js';

@Module({})
class PublisherModule {}

/** A fake of a service, with an outbox from which specs publish its events. */
const publisherOf = (name: string) =>
  defineService({
    name,
    config: StatefulConfig,
    module: PublisherModule,
    storage: serviceStorage(),
  });
const publisherNames = ['vaults', 'auth'] as const;

/** An open upload with its id. */
export interface OpenUpload extends MintedTransfer {
  readonly uploadId: string;
  readonly uploadLookup: Buffer;
}

/**
 * Two instances of forge on one store, and uploads whose chunks may have any length, so that an upload of many chunks has a
 * few bytes. ISTKs, rows, statements and objects are real.
 */
export class CleanupFixture {
  private constructor(
    readonly harness: Harness,
    readonly instances: readonly [RunningService, RunningService],
    private readonly publishers: ReadonlyMap<string, RunningService>,
  ) {}

  static async start(): Promise<CleanupFixture> {
    const harness = await startHarness({ LOG_LEVEL: 'silent' });
    const publishers = new Map<string, RunningService>();
    for (const name of publisherNames) publishers.set(name, await harness.start(publisherOf(name)));
    const instances = [await harness.start(forge), await harness.start(forge)] as const;
    await stopSchedule(...instances);
    return new CleanupFixture(harness, instances, publishers);
  }

  stop(): Promise<void> {
    return this.harness.stop();
  }

  sql<Row extends Record<string, unknown>>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return rowsOf<Row>(this.instances[0], text, values);
  }

  /** Publishes events of one service. */
  publish<P extends object>(...events: [Event<P>, P][]): Promise<void> {
    const publisher = this.publishers.get(events[0]?.[0].service ?? '');
    if (!publisher) throw new Error('no fake of this service');
    return publishFrom(publisher, ...events);
  }

  /** Calls forge.revoke-transfers; returns the number of revoked ISTKs. */
  async revoke(
    revocation: Pick<TransferRevocation, 'scope' | 'vault_id'> & Partial<TransferRevocation>,
  ): Promise<number> {
    const body = { seal_epoch: null, subject_id: null, ...revocation };
    return (await this.harness.bus.call(revokeTransfers, { body }, internalContext())).count;
  }

  mint(options: TransferOptions = {}): Promise<MintedTransfer> {
    return mintTransfer(this.harness, options);
  }

  /** Creates the upload of an ISTK, as POST /encrypt does; throws its errors. */
  async create(minted: MintedTransfer): Promise<OpenUpload> {
    const creator = this.instances[0].context.get(UploadCreator);
    const { uploadId } = await creator.create(parseBearer(minted.istk) as Buffer, minted.sizeBytes);
    return { ...minted, uploadId, uploadLookup: uploadSecretOf(uploadId).lookup };
  }

  async open(options: TransferOptions = {}): Promise<OpenUpload> {
    return this.create(await this.mint(options));
  }

  /** Stores and commits a chunk, as PATCH does. */
  async append(upload: OpenUpload, bytes: number): Promise<ChunkCommit> {
    return (await this.stage(upload, bytes))();
  }

  /** Stores the object of a chunk; the returned function commits the chunk. */
  async stage(upload: OpenUpload, bytes: number): Promise<() => Promise<ChunkCommit>> {
    const uploads = this.instances[0].context.get(UploadRepository);
    const before = await uploads.find(upload.uploadLookup);
    if (!before) return () => Promise.resolve('ended');
    const salt = randomBytes(32);
    const chunk = (await this.sql(`SELECT 1 FROM chunks WHERE version_id = $1`, [upload.versionId])).length;
    const objectKey = objectKeyOf(upload.versionId, { chunk, salt });
    await this.putObject(objectKey);
    const row = { chunk, bytes, salt, commitment: randomBytes(32), mac: randomBytes(32) };
    const stored = { row, objectKey, chunkHash: randomBytes(129), contentHash: null };
    return () => uploads.commit(before, stored, newId('req_'));
  }

  /** A finished upload. */
  async finished(options: TransferOptions = {}): Promise<OpenUpload> {
    const upload = await this.open(options);
    await this.append(upload, upload.sizeBytes);
    return upload;
  }

  /** Stores an object that no chunk refers to, as a failed attempt leaves it; returns its key. */
  async createOrphan({ versionId }: MintedTransfer): Promise<string> {
    const key = objectKeyOf(versionId, { chunk: 0, salt: randomBytes(32) });
    await this.putObject(key);
    return key;
  }

  async putObject(key: string): Promise<void> {
    await this.instances[0].context.get(Objects).put(key, Readable.from([randomBytes(10)]), 10);
  }

  keysOf({ versionId }: MintedTransfer): Promise<string[]> {
    return objectKeysOf(this.instances[0], versionId);
  }

  async rowOf({ versionId }: MintedTransfer): Promise<Record<string, unknown> | undefined> {
    const [row] = await this.sql(
      `SELECT status, offset_bytes, wrapped_key IS NOT NULL AS "hasWrap", sweep_at IS NOT NULL AS "isToSweep",
              (SELECT count(*) FROM chunks c WHERE c.version_id = u.version_id) AS chunks
         FROM uploads u WHERE version_id = $1`,
      [versionId],
    );
    return row;
  }

  async statusOf(transfer: MintedTransfer): Promise<unknown> {
    return (await this.rowOf(transfer))?.['status'];
  }

  /** The events of this version, oldest first. */
  async eventsOf({
    versionId,
  }: MintedTransfer): Promise<{ name: string; request_id: string | null; payload: object }[]> {
    return this.sql(
      `SELECT name, request_id, payload FROM recorded_events WHERE payload->>'version_id' = $1 ORDER BY seq`,
      [versionId],
    );
  }

  async eventNamesOf(transfer: MintedTransfer): Promise<string[]> {
    return (await this.eventsOf(transfer)).map(({ name }) => name);
  }

  /** Whether the ISTK is neither revoked nor consumed. */
  async isLive({ lookup }: MintedTransfer): Promise<boolean> {
    const [row] = await this.sql<{ live: boolean }>(
      `SELECT revoked_at IS NULL AND wrapped_key IS NOT NULL AS live FROM istks WHERE lookup = $1`,
      [lookup],
    );
    return row?.live === true;
  }
}
