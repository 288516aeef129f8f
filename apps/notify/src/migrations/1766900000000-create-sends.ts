import { CREATE_DATA_KEYS_SQL, DROP_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notifications: sends, their recipients, and a message for each recipient, channel and step. */
export class CreateSends1766900000000 implements MigrationInterface {
  readonly name = 'CreateSends1766900000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [CREATE_DATA_KEYS_SQL, ...sends, ...settings, ...messages]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const text of undo) await runner.query(text);
    await runner.query(DROP_DATA_KEYS_SQL);
  }
}

/**
 * A row is `sealing` until all its grants exist, under a lease: `grants` are then what must be recalled if the instance dies.
 * No column holds content. `label` is the recipient as the sender named it.
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
  `CREATE TABLE recipients (
     id uuid PRIMARY KEY,
     send uuid NOT NULL REFERENCES sends ON DELETE CASCADE,
     position integer NOT NULL,
     account_id text NOT NULL,
     label text NOT NULL,
     directory_key text NOT NULL,
     email text,
     phone text,
     link_id uuid NOT NULL UNIQUE,
     asset_id text NOT NULL,
     seen_at timestamptz,
     UNIQUE (send, position))`,
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

/** `feed` has a position for each notification of the websocket channel, without gaps within an account. */
const settings = [
  `CREATE TABLE configurations (
     account_id text PRIMARY KEY,
     settings jsonb NOT NULL,
     updated_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE channel_targets (
     account_id text NOT NULL,
     channel text NOT NULL CHECK (channel IN ('webhook', 'slack', 'teams')),
     data_key_id text NOT NULL,
     sealed bytea NOT NULL,
     PRIMARY KEY (account_id, channel))`,
  `CREATE TABLE push_tokens (
     id text PRIMARY KEY,
     account_id text NOT NULL,
     directory_key text NOT NULL,
     platform text NOT NULL CHECK (platform IN ('ios', 'android', 'fcm', 'web')),
     recipient_id text NOT NULL,
     token_hash bytea NOT NULL,
     token_ending text NOT NULL,
     data_key_id text NOT NULL,
     sealed bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (account_id, token_hash))`,
  `CREATE INDEX push_tokens_of_recipient ON push_tokens (account_id, directory_key, created_at DESC)`,
  `CREATE TABLE opt_outs (
     account_id text NOT NULL,
     directory_key text NOT NULL,
     channel text NOT NULL,
     category text NOT NULL DEFAULT '',
     PRIMARY KEY (account_id, directory_key, channel, category))`,
  `CREATE TABLE quiet_hours (
     account_id text NOT NULL,
     directory_key text NOT NULL,
     starts time NOT NULL,
     ends time NOT NULL,
     time_zone text NOT NULL,
     PRIMARY KEY (account_id, directory_key))`,
  `CREATE TABLE feed_heads (account_id text PRIMARY KEY, last bigint NOT NULL)`,
  `CREATE TABLE feed (
     account_id text NOT NULL,
     position bigint NOT NULL,
     message_id uuid NOT NULL UNIQUE REFERENCES messages ON DELETE CASCADE,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, position))`,
];

const channels = `'email', 'phone', 'in_app', 'websocket', 'sms', 'push', 'web_push', 'voice', 'whatsapp', 'rcs', 'webhook', 'slack', 'teams'`;
const kinds = `'invitation', 'domain_warning', 'link_invitation', 'link_delivery', 'link_code', 'link_lockout'`;
const outcomes = `'sent', 'obsolete', 'refused', 'expired', 'unconfirmed'`;

const messages = [
  `ALTER TABLE messages
     DROP CONSTRAINT messages_channel_check,
     DROP CONSTRAINT messages_kind_check,
     DROP CONSTRAINT messages_outcome_check,
     ADD COLUMN recipient uuid REFERENCES recipients ON DELETE CASCADE,
     ADD COLUMN step smallint,
     ADD COLUMN provider_id text,
     ADD CONSTRAINT messages_channel_check CHECK (channel IN (${channels})),
     ADD CONSTRAINT messages_kind_check CHECK (kind IN (${kinds}, 'notification')),
     ADD CONSTRAINT messages_outcome_check CHECK (outcome IN (${outcomes}, 'unconfigured')),
     ADD CONSTRAINT notifications_have_recipients
       CHECK ((kind = 'notification') = (recipient IS NOT NULL) AND (recipient IS NULL) = (step IS NULL)),
     ADD CONSTRAINT messages_once UNIQUE (recipient, channel, step)`,
];

const undo = [
  `DELETE FROM messages WHERE kind = 'notification'`,
  `ALTER TABLE messages
     DROP CONSTRAINT messages_once,
     DROP CONSTRAINT notifications_have_recipients,
     DROP CONSTRAINT messages_channel_check,
     DROP CONSTRAINT messages_kind_check,
     DROP CONSTRAINT messages_outcome_check,
     DROP COLUMN recipient,
     DROP COLUMN step,
     DROP COLUMN provider_id,
     ADD CONSTRAINT messages_channel_check CHECK (channel IN ('email', 'phone')),
     ADD CONSTRAINT messages_kind_check CHECK (kind IN (${kinds})),
     ADD CONSTRAINT messages_outcome_check CHECK (outcome IN (${outcomes}))`,
  ...[
    'feed',
    'feed_heads',
    'quiet_hours',
    'opt_outs',
    'push_tokens',
    'channel_targets',
    'configurations',
  ].map((table) => `DROP TABLE ${table}`),
  ...['interactions', 'recipients', 'sends'].map((table) => `DROP TABLE ${table}`),
];
