import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secrets that were sent through the chat, without their content, usage by person and day, and webhooks that were received. */
export class CreateChat1770000000001 implements MigrationInterface {
  readonly name = 'CreateChat1770000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [...secrets, usage, ...deliveries]) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_deliveries, chat_usage, chat_secrets`);
  }
}

/**
 * A secret is `minting` until its Spark exists, `posting` until its message is in the conversation. `generation`: of the
 * installation, because secrets of an earlier one cannot be viewed (CHT-25). `characters` of the content decide, before it is
 * burned, whether the chat can show it (CHT-21).
 */
const secrets = [
  `CREATE TABLE chat_secrets (
     spark_id text PRIMARY KEY,
     account_id text NOT NULL,
     generation integer NOT NULL,
     team_id text NOT NULL,
     channel_id text NOT NULL,
     sender_id text NOT NULL,
     characters integer NOT NULL,
     state text NOT NULL CHECK (state IN ('minting', 'posting', 'posted')),
     attempts integer NOT NULL DEFAULT 0,
     next_attempt_at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL)`,
  `CREATE INDEX chat_secrets_due ON chat_secrets (next_attempt_at) WHERE state <> 'posted'`,
  `CREATE INDEX chat_secrets_expired ON chat_secrets (expires_at)`,
];

const usage = `
  CREATE TABLE chat_usage (
    account_id text NOT NULL,
    day date NOT NULL,
    user_id text NOT NULL,
    username text NOT NULL,
    sparks_created integer NOT NULL DEFAULT 0,
    sparks_read integer NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, day, user_id))`;

/** `running_until`: until when a delivery is being handled; null once it had its effect. */
const deliveries = [
  `CREATE TABLE webhook_deliveries (
     app_id text NOT NULL,
     delivery text NOT NULL,
     expires_at timestamptz NOT NULL,
     running_until timestamptz,
     PRIMARY KEY (app_id, delivery))`,
  `CREATE INDEX webhook_deliveries_expired ON webhook_deliveries (expires_at)`,
];
