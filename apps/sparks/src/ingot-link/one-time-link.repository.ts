import { Injectable } from '@nestjs/common';
import { sparklinkCreated, type OneTimeLink } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import type { MintedLink } from '../link/link-codes.js';
import {
  insertLinkEvents,
  LINK_EVENT_COLUMNS,
  linkEventValues,
  causeOfAction,
} from '../link/link-events-sql.js';

/** One-time links of ingots: any number beside the durable one (AMB-09). */
@Injectable()
export class OneTimeLinkRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** When it was added, in epoch seconds: now, or the first time. Whoever ends it meanwhile changes nothing of that. */
  async add(
    link: OneTimeLink,
    { codeHash, kid, sealedCode }: MintedLink,
    requestId: string,
  ): Promise<number> {
    const place = [link.link_id, link.account_id, link.vault_id, link.ingot_id, link.expires_at];
    const told = linkEventValues(causeOfAction(link, requestId));
    const values = [...place, codeHash, kid, sealedCode, ...told];
    const [made] = await this.database.query<Creation>(insertLink, values);
    this.outbox.wake();
    if (made) return made.created_at;
    const earlier = [link.link_id, link.account_id, codeHash];
    const [row] = await this.database.query<Creation>(findCreation, earlier);
    if (!row) throw new Error('another link has this id');
    return row.created_at;
  }
}

interface Creation {
  readonly created_at: number;
}

const CREATED_AT = `${epochSeconds('created_at')}`;

// Of whichever index: one that is added twice at once has the same code as well.
const insertLink = statement(
  'sparks.insert-one-time-link',
  `WITH made AS (
     INSERT INTO sparklinks (id, account_id, vault_id, asset_id, expires_at, code_hash, kid, sealed_code, link_type, visibility, is_managed)
     VALUES ($1, $2, $3, $4, to_timestamp($5::bigint), $6, $7, $8, 'ingot', 'public', false)
     ON CONFLICT DO NOTHING
     RETURNING ${LINK_EVENT_COLUMNS}, created_at),
   told AS (${insertLinkEvents(sparklinkCreated, 'made', '$9', '$10')})
   SELECT ${CREATED_AT} FROM made`,
);

const findCreation = statement(
  'sparks.find-creation-of-link',
  `SELECT ${CREATED_AT}
     FROM sparklinks WHERE id = $1 AND account_id = $2 AND code_hash = $3`,
);
