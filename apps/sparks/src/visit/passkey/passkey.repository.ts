import { Injectable } from '@nestjs/common';
import type { PasskeyOptions } from '@vaultsvc/contracts/sparks';
import { Database, epochSeconds, statement, type Queryable } from '@vaultsvc/database';

const CHALLENGE_MINUTES = 5;

/** An identity, as a MAC, among the recipients of an account. */
export interface PasskeySubject {
  readonly accountId: string;
  readonly mac: Buffer;
  /** Of the identity's former keys. */
  readonly former: readonly Buffer[];
}

/** A stored passkey. */
export interface Passkey {
  readonly credentialId: Buffer;
  /** COSE. */
  readonly publicKey: Buffer;
  /** Of the last use that was verified. */
  readonly counter: number;
}

/** Stores passkeys and their challenges. */
@Injectable()
export class PasskeyRepository {
  constructor(private readonly database: Database) {}

  /** Returns the expiry in epoch seconds. */
  async addChallenge(lookup: Buffer, linkId: string, type: PasskeyOptions['type']): Promise<number> {
    const [row] = await this.database.query<{ expires_at: number }>(addChallenge, [lookup, linkId, type]);
    return row?.expires_at as number;
  }

  /** Consumes a challenge of this link: the same one is never found again. */
  async takeChallenge(lookup: Buffer, linkId: string): Promise<PasskeyOptions['type'] | undefined> {
    const [row] = await this.database.query<{ type: PasskeyOptions['type'] }>(consumeChallenge, [
      lookup,
      linkId,
    ]);
    return row?.type;
  }

  async find(subject: PasskeySubject): Promise<Passkey | undefined> {
    const [row] = await this.database.query<PasskeyRow>(findPasskey, [subject.accountId, macsOf(subject)]);
    return (
      row && { credentialId: row.credential_id, publicKey: row.public_key, counter: Number(row.counter) }
    );
  }

  /** Whether each of the subjects of one account has a passkey, in their order. */
  async areEnrolled(subjects: readonly PasskeySubject[]): Promise<boolean[]> {
    const macs = subjects.flatMap(macsOf);
    const rows = await this.database.query<{ mac: Buffer }>(findEnrolled, [
      subjects[0]?.accountId ?? '',
      macs,
    ]);
    const enrolled = new Set(rows.map(({ mac }) => mac.toString('hex')));
    return subjects.map((subject) => macsOf(subject).some((mac) => enrolled.has(mac.toString('hex'))));
  }

  /** False if the identity has a passkey by now, or another identity has this one: nothing is stored then. */
  async add(tx: Queryable, { accountId, mac }: PasskeySubject, passkey: Passkey): Promise<boolean> {
    const { credentialId, publicKey, counter } = passkey;
    return (await tx.query(insertPasskey, [accountId, mac, credentialId, publicKey, counter])).length > 0;
  }

  /**
   * Stores the counter of a verified use. False unless it exceeds the stored one, or both are 0, as of authenticators that
   * do not count (WebAuthn Level 3, 7.2 step 22): of two copies of a passkey one is refused.
   */
  async advance(tx: Queryable, subject: PasskeySubject, passkey: Passkey): Promise<boolean> {
    const { credentialId, counter } = passkey;
    const values = [subject.accountId, macsOf(subject), credentialId, counter];
    return (await tx.query(advancePasskey, values)).length > 0;
  }
}

/** The current MAC first. */
function macsOf({ mac, former }: PasskeySubject): Buffer[] {
  return [mac, ...former];
}

interface PasskeyRow {
  credential_id: Buffer;
  public_key: Buffer;
  counter: number | string;
}

const addChallenge = statement(
  'sparks.add-passkey-challenge',
  `INSERT INTO passkey_challenges (lookup, link_id, type, expires_at)
   VALUES ($1, $2, $3, clock_timestamp() + interval '${CHALLENGE_MINUTES} minutes')
   RETURNING ${epochSeconds('expires_at')}`,
);

const consumeChallenge = statement(
  'sparks.consume-passkey-challenge',
  `DELETE FROM passkey_challenges WHERE lookup = $1 AND link_id = $2 AND expires_at > clock_timestamp() RETURNING type`,
);

const findPasskey = statement(
  'sparks.find-passkey',
  `SELECT credential_id, public_key, counter FROM passkeys
    WHERE account_id = $1 AND identity_mac = ANY($2::bytea[])
    ORDER BY array_position($2::bytea[], identity_mac) LIMIT 1`,
);

const findEnrolled = statement(
  'sparks.find-enrolled',
  `SELECT identity_mac AS mac FROM passkeys WHERE account_id = $1 AND identity_mac = ANY($2::bytea[])`,
);

const insertPasskey = statement(
  'sparks.insert-passkey',
  `INSERT INTO passkeys (account_id, identity_mac, credential_id, public_key, counter) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING RETURNING 1`,
);

const advancePasskey = statement(
  'sparks.advance-passkey',
  `UPDATE passkeys SET counter = $4::bigint, used_at = clock_timestamp()
    WHERE account_id = $1 AND identity_mac = ANY($2::bytea[]) AND credential_id = $3
      AND (counter < $4::bigint OR counter = 0)
   RETURNING 1`,
);
