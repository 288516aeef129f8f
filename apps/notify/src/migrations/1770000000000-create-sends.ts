import { CREATE_DATA_KEYS_SQL, DROP_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notifications: sends, their recipients, and what these did. */
export class CreateSends1770000000000 implements MigrationInterface {
  readonly name = 'CreateSends1770000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [CREATE_DATA_KEYS_SQL, ...sends, ...recipients, ...interactions, plaintext])
      await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE plaintext_contents, interactions, recipients, sends`);
    await runner.query(DROP_DATA_KEYS_SQL);
  }
}

/**
 * A row is `sealing` until all its grants exist, under a lease: `grants` are then what must be recalled if the instance dies.
 * No column holds content.
 */
const sends = [
  `CREATE TABLE sends (
     id uuid PRIMARY KEY,
     account_id text NOT NULL,
     send_id text NOT NULL,
     state text NOT NULL DEFAULT 'sealing' CHECK (state IN ('sealing', 'accepted')),
     lease_until timestamptz,
     grants jsonb,
     request_id text NOT NULL,
     organization_name text NOT NULL,
     title text,
     category text,
     type text,
     verification_level text NOT NULL,
     interaction text NOT NULL,
     channels text[] NOT NULL,
     recipient_count integer NOT NULL,
     expires_at timestamptz NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     purge_at timestamptz NOT NULL,
     UNIQUE (account_id, send_id),
     CHECK ((state = 'sealing') = (lease_until IS NOT NULL)),
     CHECK ((state = 'sealing') = (grants IS NOT NULL)))`,
  `CREATE INDEX sends_listed ON sends (account_id, created_at DESC, id DESC) WHERE state = 'accepted'`,
  `CREATE INDEX sends_sealing ON sends (lease_until) WHERE state = 'sealing'`,
  `CREATE INDEX sends_purged ON sends (purge_at)`,
];

/** `label` is the recipient as the sender named it. A recipient of plaintext has no grant (NTF-26). */
const recipients = [
  `CREATE TABLE recipients (
     id uuid PRIMARY KEY,
     send uuid NOT NULL REFERENCES sends ON DELETE CASCADE,
     position integer NOT NULL,
     account_id text NOT NULL,
     label text NOT NULL,
     directory_key text NOT NULL,
     email text,
     phone text,
     link_id uuid UNIQUE,
     asset_id text,
     seen_at timestamptz,
     UNIQUE (send, position),
     CONSTRAINT recipients_grant CHECK ((link_id IS NULL) = (asset_id IS NULL)))`,
  `CREATE INDEX recipients_of_address ON recipients (account_id, lower(email COLLATE "C")) WHERE email IS NOT NULL`,
];

const interactions = [
  `CREATE TABLE interactions (
     id uuid PRIMARY KEY,
     recipient uuid NOT NULL REFERENCES recipients ON DELETE CASCADE,
     action text NOT NULL CHECK (action IN ('view', 'acknowledge', 'sign', 'approve', 'deny', 'reply')),
     verification_level text NOT NULL,
     at timestamptz NOT NULL,
     reply_spark_id text,
     data_key_id text NOT NULL,
     sealed_receipt bytea NOT NULL,
     UNIQUE (recipient, action))`,
  `CREATE UNIQUE INDEX interactions_decided ON interactions (recipient) WHERE action IN ('sign', 'approve', 'deny')`,
];

/** Content that is in the message itself, sealed until the history of its send ends (NTF-26). */
const plaintext = `
  CREATE TABLE plaintext_contents (
    send uuid PRIMARY KEY REFERENCES sends ON DELETE CASCADE,
    content_type text NOT NULL,
    data_key_id text NOT NULL,
    sealed bytea NOT NULL)`;
