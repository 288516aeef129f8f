import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { sparksUnclaimed, type UnclaimedSparks } from '@vaultsvc/contracts/vaults';
import { Database, inBatches, statement, type Queryable } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';

/** Seconds after which nobody is at work on a claim: whoever made it has answered, or died. */
const UNDER_WAY_SECONDS = 30;

/**
 * Which Sparks are being made for a retrieval: kept before the first is made, gone with the commit that lets them leave.
 * One that is left is told of, and sparks removes what was made. So nothing that nobody was told of can be read,
 * whoever dies in between.
 */
@Injectable()
export class SparkClaims {
  readonly #logger = new Logger('spark-claims');

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Keeps a claim, and gives its id. */
  async make(sparks: UnclaimedSparks, requestId: string): Promise<string> {
    const id = randomUUID();
    await this.database.query(insertClaim, [id, sparks.account_id, requestId, JSON.stringify(sparks)]);
    return id;
  }

  /** With the commit that lets the Sparks leave. Throws when they were given up meanwhile. */
  async settle(tx: Queryable, id: string): Promise<void> {
    if ((await tx.query(settleClaim, [id])).length === 0) throw new Error('these Sparks were given up');
  }

  /** Has sparks remove what was made of them. Never fails: what cannot be told now, `giveUpOld` tells. */
  async giveUp(id: string): Promise<void> {
    try {
      await this.database.query(giveUpOne, [id]);
      this.outbox.wake();
    } catch (error) {
      const msg = 'Sparks that nobody was told of will be removed later';
      this.#logger.warn({ msg, claimId: id, err: error });
    }
  }

  /** Of retrievals that ended without a word. Any number of copies may. */
  async giveUpOld(): Promise<void> {
    await inBatches(this.database, giveUpOld);
    this.outbox.wake();
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

const givingUp = (which: string) => `
  WITH given_up AS (DELETE FROM spark_claims WHERE ${which} RETURNING account_id, request_id, payload)
  INSERT INTO outbox (name, account_id, request_id, payload)
  SELECT '${sparksUnclaimed.name}', account_id, request_id, payload FROM given_up
  RETURNING name`;

const giveUpOne = statement('vaults.give-up-spark-claim', givingUp('id = $1'));

const giveUpOld = statement(
  'vaults.give-up-old-spark-claims',
  givingUp(`id IN (
    SELECT id FROM spark_claims WHERE created_at <= now() - interval '${UNDER_WAY_SECONDS} seconds'
     ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)`),
);
