import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The settings of accounts, their channels and push tokens, and what recipients chose. */
export class CreatePreferences1770000000002 implements MigrationInterface {
  readonly name = 'CreatePreferences1770000000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...channels, ...pushTokens, ...choices, ...suppressions]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE suppressions, quiet_hours, opt_outs, push_tokens, former_webhook_secrets, channel_targets, configurations`,
    );
  }
}

/** Secrets of webhooks that were replaced: for a day their signatures are sent beside those of the new ones. */
const channels = [
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
  `CREATE TABLE former_webhook_secrets (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     account_id text NOT NULL,
     data_key_id text NOT NULL,
     sealed bytea NOT NULL,
     ends_at timestamptz NOT NULL)`,
  `CREATE INDEX former_webhook_secrets_of ON former_webhook_secrets (account_id, ends_at)`,
  `CREATE INDEX former_webhook_secrets_ended ON former_webhook_secrets (ends_at)`,
];

/** `hash_of`: of what `token_hash` is: the whole token, or the endpoint of a web push subscription. */
const pushTokens = [
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
     hash_of text NOT NULL DEFAULT 'token' CHECK (hash_of IN ('token', 'endpoint')),
     UNIQUE (account_id, token_hash))`,
  `CREATE INDEX push_tokens_of_recipient ON push_tokens (account_id, directory_key, created_at DESC)`,
  `CREATE INDEX push_tokens_rehashed ON push_tokens (created_at DESC, id) WHERE platform = 'web' AND hash_of = 'token'`,
];

/** `category_label` is the category as it was written; `category` is folded. */
const choices = [
  `CREATE TABLE opt_outs (
     account_id text NOT NULL,
     directory_key text NOT NULL,
     channel text NOT NULL,
     category text NOT NULL DEFAULT '',
     category_label text,
     PRIMARY KEY (account_id, directory_key, channel, category))`,
  `CREATE TABLE quiet_hours (
     account_id text NOT NULL,
     directory_key text NOT NULL,
     starts time NOT NULL,
     ends time NOT NULL,
     time_zone text NOT NULL,
     PRIMARY KEY (account_id, directory_key))`,
];

const suppressions = [
  `CREATE TABLE suppressions (
     id text PRIMARY KEY,
     account_id text NOT NULL,
     address_key text NOT NULL,
     address text NOT NULL,
     reason text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     UNIQUE (account_id, address_key))`,
  `CREATE INDEX suppressions_listed ON suppressions (account_id, created_at DESC, id DESC)`,
];
