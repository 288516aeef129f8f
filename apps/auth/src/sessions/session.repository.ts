import { Injectable } from '@nestjs/common';
import type { TokenDelivery } from '@vaultsvc/contracts';
import { Database, statement, type Queryable } from '@vaultsvc/database';

/** A full session of a user, or an identity-only session before the sign-up (AUTH-06). */
export type SessionOwner =
  | { readonly sessionType: 'full'; readonly accountId: string; readonly userId: string }
  | { readonly sessionType: 'identity_only'; readonly identityId: string };

export interface NewFamily {
  readonly owner: SessionOwner;
  readonly delivery: TokenDelivery;
  /** 32 random bytes, required to derive tokens of this family. */
  readonly secret: Buffer;
  /** Id of the data key of the family's tokens. */
  readonly macKeyId: string;
}

/** The immutable part of a family. */
export interface Family extends NewFamily {
  /** UUID: the `sid` of every access token. */
  readonly id: string;
}

/** Session families: all tokens of one sign-in belong to one family. */
@Injectable()
export class SessionRepository {
  constructor(private readonly database: Database) {}

  /** Opens a family at its first generation. It expires 30 days after its newest refresh token (AUTH-17). */
  async open(tx: Queryable, family: NewFamily): Promise<Family> {
    const { owner, delivery, secret, macKeyId } = family;
    const [accountId, userId, identityId] =
      owner.sessionType === 'full' ? [owner.accountId, owner.userId, null] : [null, null, owner.identityId];
    const values = [owner.sessionType, accountId, userId, identityId, delivery, secret, macKeyId];
    const [row] = await tx.query<{ id: string }>(openFamily, values);
    if (!row) throw new Error('the insert of a session family gave no row');
    return { id: row.id, ...family };
  }

  /** A family by its id, which must have the shape of a UUID; ended ones included. */
  async find(id: string): Promise<Family | undefined> {
    const [row] = await this.database.query<FamilyRow>(findFamily, [id]);
    return row && familyOf(row);
  }

  /** Ends a family; resolves to false if it had ended or expired before. */
  async end(tx: Queryable, id: string): Promise<boolean> {
    return (await tx.query(endFamily, [id])).length > 0;
  }

  /** Ids of live sessions of an owner that are older than the newest `count`, at most 100. */
  async olderThanNewest(tx: Queryable, owner: SessionOwner, count: number): Promise<string[]> {
    const rows =
      owner.sessionType === 'full'
        ? await tx.query<{ id: string }>(findOlderOfUser, [owner.userId, count])
        : await tx.query<{ id: string }>(findOlderOfIdentity, [owner.identityId, count]);
    return rows.map(({ id }) => id);
  }

  /** Ids of the live sessions of a user. */
  async liveOf(tx: Queryable, userId: string): Promise<string[]> {
    return (await tx.query<{ id: string }>(findLiveFamilies, [userId])).map(({ id }) => id);
  }
}

interface FamilyRow {
  readonly id: string;
  readonly session_type: 'full' | 'identity_only';
  readonly account_id: string | null;
  readonly user_id: string | null;
  readonly identity_id: string | null;
  readonly delivery: TokenDelivery;
  readonly secret: Buffer;
  readonly mac_key_id: string;
}

function familyOf({ id, delivery, secret, mac_key_id: macKeyId, ...row }: FamilyRow): Family {
  return { id, owner: ownerOf(row), delivery, secret, macKeyId };
}

/** A CHECK of the table guarantees that each kind is complete. */
function ownerOf(
  row: Pick<FamilyRow, 'session_type' | 'account_id' | 'user_id' | 'identity_id'>,
): SessionOwner {
  return row.session_type === 'full'
    ? { sessionType: 'full', accountId: row.account_id as string, userId: row.user_id as string }
    : { sessionType: 'identity_only', identityId: row.identity_id as string };
}

// The time of the insert, not of the transaction, which may have waited for another sign-in: the order decides which is oldest.
const openFamily = statement(
  'auth.open-family',
  `INSERT INTO families (session_type, account_id, user_id, identity_id, delivery, secret, mac_key_id, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), clock_timestamp() + interval '720 hours') RETURNING id`,
);

const findFamily = statement(
  'auth.find-family',
  `SELECT id, session_type, account_id, user_id, identity_id, delivery, secret, mac_key_id
     FROM families WHERE id = $1::uuid`,
);

const endFamily = statement(
  'auth.end-family',
  `UPDATE families SET revoked_at = clock_timestamp(), version = version + 1
    WHERE id = $1::uuid AND revoked_at IS NULL AND expires_at > clock_timestamp() RETURNING id`,
);

const older = (owner: 'user_id' | 'identity_id') => `
  SELECT id FROM families WHERE ${owner} = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp()
   ORDER BY created_at DESC, id DESC LIMIT 100 OFFSET $2`;

const findOlderOfUser = statement('auth.find-older-families-of-user', older('user_id'));

const findOlderOfIdentity = statement('auth.find-older-families-of-identity', older('identity_id'));

const findLiveFamilies = statement(
  'auth.find-live-families',
  `SELECT id FROM families WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp()`,
);
