import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { sparksUnclaimed, type UnclaimedSparks } from '@vaultsvc/contracts/vaults';
import { Database, runInBatches, statement, type Queryable } from '@vaultsvc/database';

/** Longer than any call: after these seconds the instance that inserted the claim has died. */
const CLAIM_SECONDS = 30;

/**
 * The ids of the Sparks of a running retrieval. A claim is inserted before the first Spark is created and deleted by the
 * commit that releases them to the caller. An abandoned claim becomes an event, and sparks removes its Sparks: a Spark
 * that no caller received cannot be read, whichever process dies in between.
 */
@Injectable()
export class SparkClaimRepository {
  readonly #logger = new Logger('spark-claims');

  constructor(private readonly database: Database) {}

  /** Returns the id of the claim. */
  async insert(sparks: UnclaimedSparks, requestId: string): Promise<string> {
    const id = randomUUID();
    await this.database.query(insertClaim, [id, sparks.account_id, requestId, JSON.stringify(sparks)]);
    return id;
  }

  /** In the transaction that releases the Sparks to the caller. Throws when the claim was abandoned before. */
  async settle(tx: Queryable, id: string): Promise<void> {
    if ((await tx.query(settleClaim, [id])).length === 0)
      throw new Error('the claim of these Sparks was abandoned');
  }

  /** Has sparks remove the Sparks of a claim. Never fails: `abandonExpired` publishes what this cannot. */
  async abandon(id: string): Promise<void> {
    try {
      await this.database.query(abandonOne, [id]);
    } catch (error) {
      const msg = 'the Sparks of a failed retrieval will be removed later';
      this.#logger.warn({ msg, claimId: id, err: error });
    }
  }

  /** Abandons the claims of dead instances. Safe on any number of instances. */
  async abandonExpired(): Promise<void> {
    await runInBatches(this.database, abandonExpired);
  }
}

const insertClaim = statement(
  'vaults.insert-spark-claim',
  `INSERT INTO spark_claims (id, account_id, request_id, payload) VALUES ($1, $2, $3, $4)`,
);

const settleClaim = statement(
  'vaults.settle-spark-claim',
  `DELETE FROM spark_claims WHERE id = $1 RETURNING id`,
);

const abandonWhere = (condition: string) => `
  WITH abandoned AS (DELETE FROM spark_claims WHERE ${condition} RETURNING account_id, request_id, payload)
  INSERT INTO outbox (name, account_id, request_id, payload)
  SELECT '${sparksUnclaimed.name}', account_id, request_id, payload FROM abandoned
  RETURNING name`;

const abandonOne = statement('vaults.abandon-spark-claim', abandonWhere('id = $1'));

const abandonExpired = statement(
  'vaults.abandon-expired-spark-claims',
  abandonWhere(`id IN (
    SELECT id FROM spark_claims WHERE created_at <= now() - interval '${CLAIM_SECONDS} seconds'
     ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`),
);
