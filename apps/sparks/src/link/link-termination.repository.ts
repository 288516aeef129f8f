import { Injectable } from '@nestjs/common';
import { sparklinkDeleted, sparklinkRevoked } from '@vaultsvc/contracts/sparks';
import { Database, statement, type Queryable, type Statement } from '@vaultsvc/database';
import {
  SYSTEM,
  insertLinkEvents,
  LINK_EVENT_COLUMNS,
  linkEventValues,
  type LinkCause,
} from './link-events-sql.js';
import { EndingLinkCodes, type EndingCodes } from './ending-link-codes.js';
import type { SealedCodeRow } from './link-sealer.js';

const BATCH_MAX = 500;

/** Selects links of ingots: all of a vault, all of one ingot (`ingotId`), or one of those (`linkId`). */
export interface IngotLinks {
  readonly accountId: string;
  readonly vaultId: string;
  readonly ingotId: string | null;
  readonly linkId: string | null;
}

/** Selects links of an account by their ids. */
export interface ManyLinks {
  readonly accountId: string;
  readonly linkIds: readonly string[];
}

/** Selects the links of one asset. */
export interface AssetLinks {
  readonly accountId: string;
  /** The Spark or ingot. */
  readonly assetId: string;
}

/**
 * Revokes and deletes links. Each statement changes only links that are not yet ended and inserts the events for those
 * rows alone, so every method is idempotent. It wakes the outbox before the caller's commit, which must follow at once.
 *
 * The events carry the codes, which open nothing any more (LNK-22). They are opened before the statement, so a link that
 * is created at that moment ends without its code in the event.
 */
@Injectable()
export class LinkTerminationRepository {
  constructor(
    private readonly database: Database,
    private readonly codes: EndingLinkCodes,
  ) {}

  /** The codes of an asset's active links. Call it before the transaction that ends them (see `LinkSealer`). */
  async codesOf({ assetId, accountId }: AssetLinks): Promise<EndingCodes> {
    return this.#codesIn(this.database, findOfAsset, [assetId, accountId]);
  }

  /** Revokes a link that its owner deletes; the row stays (AMB-36). */
  async withdraw(db: Queryable, linkId: string, codes: EndingCodes, cause: LinkCause): Promise<void> {
    await db.query(withdrawLink, [linkId, ...linkEventValues(cause), codes]);
  }

  /** Ends the sharing of an asset by revoking its managed link, unless its id is `exceptId`. */
  async unshare(
    db: Queryable,
    { assetId, accountId }: AssetLinks,
    codes: EndingCodes,
    cause: LinkCause,
    exceptId: string | null = null,
  ): Promise<void> {
    await db.query(unshareAsset, [assetId, accountId, ...linkEventValues(cause), exceptId, codes]);
  }

  /** Revokes links of ingots. An expired link stays expired. */
  async revoke(db: Queryable, links: IngotLinks, cause: LinkCause): Promise<void> {
    await this.#inBatches(db, links, links.ingotId === null ? revokeOfVault : revokeOfIngot, cause);
  }

  /** Revokes these links; BATCH_MAX at most. An expired link stays expired. */
  async revokeMany(db: Queryable, { accountId, linkIds }: ManyLinks, cause: LinkCause): Promise<void> {
    const codes = await this.#codesIn(db, findMany, [linkIds, accountId, null, BATCH_MAX]);
    await db.query(revokeMany, [linkIds, accountId, ...linkEventValues(cause), null, BATCH_MAX, codes]);
  }

  /** Deletes the links of deleted ingots. */
  async remove(db: Queryable, links: IngotLinks, requestId: string | null): Promise<void> {
    const cause = { actor: SYSTEM, requestId };
    await this.#inBatches(db, links, links.ingotId === null ? removeOfVault : removeOfIngot, cause);
  }

  /** Deletes the links of a deleted Spark. */
  async removeOfSpark(
    db: Queryable,
    { assetId, accountId }: AssetLinks,
    codes: EndingCodes,
    requestId: string | null,
  ): Promise<void> {
    const eventValues = linkEventValues({ actor: SYSTEM, requestId });
    await db.query(removeOfSpark, [assetId, accountId, ...eventValues, codes]);
  }

  /** Deletes the active link of a burned Spark; consumed and revoked links stay as records of the access (AMB-04). */
  async removeActiveOfSpark(
    db: Queryable,
    { assetId, accountId }: AssetLinks,
    codes: EndingCodes,
    requestId: string | null,
  ): Promise<void> {
    const eventValues = linkEventValues({ actor: SYSTEM, requestId });
    await db.query(removeActiveOfSpark, [assetId, accountId, ...eventValues, codes]);
  }

  async #inBatches(
    db: Queryable,
    { accountId, vaultId, ingotId, linkId }: IngotLinks,
    end: typeof revokeOfVault,
    cause: LinkCause,
  ): Promise<void> {
    const scope = [ingotId ?? vaultId, accountId];
    const find = ingotId === null ? findOfVault : findOfIngot;
    for (let ended = BATCH_MAX; ended === BATCH_MAX;) {
      const codes = await this.#codesIn(db, find, [...scope, linkId, BATCH_MAX]);
      const values = [...scope, ...linkEventValues(cause), linkId, BATCH_MAX, codes];
      const [row] = await db.query<{ count: number }>(end, values);
      ended = row?.count ?? 0;
    }
  }

  async #codesIn(db: Queryable, find: Statement, values: readonly unknown[]): Promise<EndingCodes> {
    return this.codes.open(await db.query<SealedCodeRow>(find, values));
  }
}

const REVOKED = `status = 'revoked', revoked_at = now()`;

/** A consumed link stays consumed, and a revoked one already has its event (LNK-14). */
const withdrawLink = statement(
  'sparks.withdraw-link',
  `WITH ended AS (
     UPDATE sparklinks SET ${REVOKED} WHERE id = $1 AND status = 'active' RETURNING ${LINK_EVENT_COLUMNS})
   ${insertLinkEvents(sparklinkDeleted, 'ended', '$2', '$3', '$4')}`,
);

/**
 * A consumed link already has the event of its end: it only stops being the asset's managed link (SPK-49). One-time links of
 * an ingot stay (SHR-16).
 */
const unshareAsset = statement(
  'sparks.unshare-asset',
  `WITH unmanaged AS (
     UPDATE sparklinks SET is_managed = false
      WHERE asset_id = $1 AND account_id = $2 AND is_managed AND status = 'consumed'),
   ended AS (
     UPDATE sparklinks SET ${REVOKED}
      WHERE asset_id = $1 AND account_id = $2 AND is_managed AND status = 'active' AND ($5::uuid IS NULL OR id <> $5)
     RETURNING ${LINK_EVENT_COLUMNS})
   ${insertLinkEvents(sparklinkRevoked, 'ended', '$3', '$4', '$6')}`,
);

/** Locks in the order of ids: two transactions that end the same links cannot deadlock. */
const lockedLinks = (scope: string) =>
  `locked AS (SELECT id FROM sparklinks WHERE ${scope} ORDER BY id LIMIT $6 FOR UPDATE)`;

const LIVE = `status = 'active' AND (expires_at IS NULL OR expires_at > now())`;

const revokeBy = (scope: string) => `
  WITH ${lockedLinks(`${scope} AND account_id = $2 AND ${LIVE} AND ($5::uuid IS NULL OR id = $5)`)},
  ended AS (
    UPDATE sparklinks SET ${REVOKED} WHERE id IN (SELECT id FROM locked) RETURNING ${LINK_EVENT_COLUMNS}),
  event AS (${insertLinkEvents(sparklinkRevoked, 'ended', '$3', '$4', '$7')})
  SELECT count(*) AS count FROM ended`;

// Revoked and consumed links already have the event of their end.
const removeBy = (scope: string) => `
  WITH ${lockedLinks(`${scope} AND account_id = $2 AND ($5::uuid IS NULL OR id = $5)`)},
  ended AS (
    DELETE FROM sparklinks WHERE id IN (SELECT id FROM locked) RETURNING ${LINK_EVENT_COLUMNS}, status),
  event AS (${insertLinkEvents(sparklinkDeleted, `ended WHERE status = 'active'`, '$3', '$4', '$7')})
  SELECT count(*) AS count FROM ended`;

const OF_VAULT = 'vault_id = $1';
const OF_INGOT = `link_type = 'ingot' AND asset_id = $1`;

const findBy = (scope: string) =>
  `SELECT id, account_id, asset_id, kid, sealed_code FROM sparklinks
    WHERE ${scope} AND account_id = $2 AND status = 'active'`;
/** In the order in which batches end links: no batch ends a live link that is not found here. */
const findBatchBy = (scope: string) =>
  `${findBy(`${scope} AND ${LIVE}`)} AND ($3::uuid IS NULL OR id = $3) ORDER BY id LIMIT $4`;

const NAMED = 'id = ANY($1::uuid[])';

const findMany = statement('sparks.find-codes-of-many', findBatchBy(NAMED));
const revokeMany = statement('sparks.revoke-many-links', revokeBy(NAMED));
const findOfVault = statement('sparks.find-codes-of-vault', findBatchBy(OF_VAULT));
const findOfIngot = statement('sparks.find-codes-of-ingot', findBatchBy(OF_INGOT));
const findOfAsset = statement('sparks.find-codes-of-asset', findBy('asset_id = $1'));

const revokeOfVault = statement('sparks.revoke-links-of-vault', revokeBy(OF_VAULT));
const revokeOfIngot = statement('sparks.revoke-links-of-ingot', revokeBy(OF_INGOT));
const removeOfVault = statement('sparks.remove-links-of-vault', removeBy(OF_VAULT));
const removeOfIngot = statement('sparks.remove-links-of-ingot', removeBy(OF_INGOT));

const removeOfSparkBy = (scope: string) => `
  WITH ended AS (
    DELETE FROM sparklinks WHERE asset_id = $1 AND account_id = $2 AND ${scope} RETURNING ${LINK_EVENT_COLUMNS}, status)
  ${insertLinkEvents(sparklinkDeleted, `ended WHERE status = 'active'`, '$3', '$4', '$5')}`;

const removeOfSpark = statement('sparks.remove-links-of-spark', removeOfSparkBy(`link_type = 'spark'`));
const removeActiveOfSpark = statement(
  'sparks.remove-active-link-of-spark',
  removeOfSparkBy(`link_type = 'spark' AND status = 'active'`),
);
