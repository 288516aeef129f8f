import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealedTexts, type SealedText } from '@vaultsvc/crypto/data-keys';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import { endpointOf } from './subscription-endpoint.js';

/** A subscription that was found by the hash of its whole text. */
interface FormerRow extends SealedText {
  readonly id: string;
  readonly account_id: string;
  readonly token_hash: Buffer;
}

/**
 * Gives web push subscriptions of former releases, and of older instances during a rollout, the hash of their endpoint, and
 * deletes all but the latest of one endpoint: a browser that was registered several times got every message as often.
 */
@Injectable()
export class RehashSubscriptions {
  readonly everySeconds = 600;

  constructor(
    private readonly database: Database,
    private readonly texts: SealedTexts,
  ) {}

  async run(): Promise<void> {
    while (await this.database.transaction((tx) => this.#rehashNext(tx)));
  }

  /** The newest first, so that its id stays. False if there is none. */
  async #rehashNext(tx: Queryable): Promise<boolean> {
    const [row] = await tx.query<FormerRow>(lockNext, []);
    if (!row) return false;
    const { id, account_id: accountId, token_hash: former } = row;
    const text = await this.texts.open([accountId, former.toString('hex')], row);
    const hash = createHash('sha256').update(endpointOf(text)).digest();
    const { data_key_id, sealed } = await this.texts.seal([accountId, hash.toString('hex')], text);
    await tx.query(deleteEarlier, [accountId, hash, id]);
    const isLatest = (await tx.query(rehash, [id, hash, data_key_id, sealed])).length > 0;
    if (!isLatest) await tx.query(deleteFormer, [id]);
    return true;
  }
}

const lockNext = statement(
  'notify.lock-former-subscription',
  `SELECT id, account_id, token_hash, data_key_id, sealed FROM push_tokens
    WHERE platform = 'web' AND hash_of = 'token' ORDER BY created_at DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
);

/** One that an upgraded instance registered before an older instance registered the same endpoint. */
const deleteEarlier = statement(
  'notify.delete-earlier-subscription',
  `DELETE FROM push_tokens AS p USING push_tokens AS later
    WHERE p.account_id = $1 AND p.token_hash = $2 AND later.id = $3 AND p.created_at < later.created_at`,
);

const rehash = statement(
  'notify.rehash-subscription',
  `UPDATE push_tokens AS p SET token_hash = $2, hash_of = 'endpoint', data_key_id = $3, sealed = $4
    WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM push_tokens o WHERE o.account_id = p.account_id AND o.token_hash = $2)
   RETURNING id`,
);

const deleteFormer = statement('notify.delete-former-subscription', `DELETE FROM push_tokens WHERE id = $1`);
