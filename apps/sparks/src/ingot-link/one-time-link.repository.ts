import { Injectable } from '@nestjs/common';
import { sparklinkCreated, type OneTimeLink } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { MintedLink } from '../link/link-sealer.js';
import {
  insertLinkEvents,
  LINK_EVENT_COLUMNS,
  linkEventValues,
  causeOfAction,
} from '../link/link-events-sql.js';

/** Stores one-time links of ingots, any number beside the durable link (AMB-09). */
@Injectable()
export class OneTimeLinkRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Idempotent. Returns the time of the first call in epoch seconds, even when the link has ended since. */
  async add(
    link: OneTimeLink,
    { codeHash, kid, sealedCode }: MintedLink,
    requestId: string,
  ): Promise<number> {
    const ids = [link.link_id, link.account_id, link.vault_id, link.ingot_id, link.expires_at];
    const eventValues = linkEventValues(causeOfAction(link, requestId));
    const values = [...ids, codeHash, kid, sealedCode, ...eventValues];
    const [created] = await this.database.query<Creation>(insertLink, values);
    this.outbox.wake();
    if (created) return created.created_at;
    const key = [link.link_id, link.account_id, codeHash];
    const [row] = await this.database.query<Creation>(findCreation, key);
    if (!row) throw new Error('another link has this id');
    return row.created_at;
  }
}

interface Creation {
  readonly created_at: number;
}

const CREATED_AT = `${epochSeconds('created_at')}`;

// On a conflict of any index: a concurrent repetition has the same id and the same code.
const insertLink = statement(
  'sparks.insert-one-time-link',
  `WITH created AS (
     INSERT INTO sparklinks (id, account_id, vault_id, asset_id, expires_at, code_hash, kid, sealed_code, link_type, visibility, is_managed)
     VALUES ($1, $2, $3, $4, to_timestamp($5::bigint), $6, $7, $8, 'ingot', 'public', false)
     ON CONFLICT DO NOTHING
     RETURNING ${LINK_EVENT_COLUMNS}, created_at),
   event AS (${insertLinkEvents(sparklinkCreated, 'created', '$9', '$10')})
   SELECT ${CREATED_AT} FROM created`,
);

const findCreation = statement(
  'sparks.find-creation-of-link',
  `SELECT ${CREATED_AT}
     FROM sparklinks WHERE id = $1 AND account_id = $2 AND code_hash = $3`,
);
