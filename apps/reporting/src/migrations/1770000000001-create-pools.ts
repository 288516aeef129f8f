import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The pools of each account, by which requests are admitted, and reservations in the storage pool for incomplete uploads. */
export class CreatePools1770000000001 implements MigrationInterface {
  readonly name = 'CreatePools1770000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...pools, ...reservations]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE reservations, pools`);
  }
}

/**
 * Updated with every batch of events: free space in the page allows HOT updates, which skip the index. `storage_reserved` is the
 * sum of an account's held and confirmed reservations.
 */
const pools = [
  `CREATE TABLE pools (
     account_id text PRIMARY KEY,
     plan text NOT NULL DEFAULT 'default',
     status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'none')),
     storage_used bigint NOT NULL,
     storage_limit bigint,
     bandwidth_used bigint NOT NULL,
     bandwidth_limit bigint,
     cycle_resets_at timestamptz NOT NULL DEFAULT now() + interval '720 hours',
     identity_used bigint NOT NULL,
     identity_limit bigint,
     version bigint NOT NULL DEFAULT 1,
     storage_reserved bigint NOT NULL DEFAULT 0
   ) WITH (fillfactor = 70)`,
  `COMMENT ON COLUMN pools.storage_limit IS 'null, as for the other limits: what the plan says'`,
];

/**
 * A held reservation expires at `expires_at`, which remains after its confirmation: a row without it was inserted by an event. A
 * closed one remains for a while, so that a late event cannot open it again. `instead_of` links a reservation to the one that it
 * supersedes, which may still be open when this one is superseded in turn.
 */
const reservations = [
  `CREATE TABLE reservations (
     id text COLLATE "C" PRIMARY KEY,
     account_id text COLLATE "C" NOT NULL,
     bytes bigint NOT NULL,
     status text NOT NULL CHECK (status IN ('held', 'confirmed', 'closed')),
     expires_at timestamptz,
     closed_at timestamptz,
     instead_of text COLLATE "C",
     CONSTRAINT held_expires CHECK (status <> 'held' OR expires_at IS NOT NULL),
     CONSTRAINT closed_is_dated CHECK ((status = 'closed') = (closed_at IS NOT NULL))
   )`,
  `CREATE INDEX reservations_to_expire ON reservations (expires_at) WHERE status = 'held'`,
  `CREATE INDEX reservations_to_forget ON reservations (closed_at) WHERE status = 'closed'`,
];
