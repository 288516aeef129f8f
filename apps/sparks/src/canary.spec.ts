import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decode } from '@vaultsvc/contracts';
import {
  describeMessage,
  entropyFormats,
  EntropyRequest,
  generateEntropy,
  type EntropyFormat,
  type SparkToMint,
} from '@vaultsvc/contracts/sparks';
import { accountContext, deadlineIn, internalContext } from '@vaultsvc/testing/harness';
import { formsOf, heldOnDisk, heldUnder, writeBuffers } from '@vaultsvc/testing/servers';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import pg from 'pg';
import { buildService, startInstance } from '../../../tools/races/service-instances.ts';
import { sharedServersOfRun } from '../../../tools/test/servers.ts';
import { linksOf } from './testing/links.js';
import { mintingOf, sparkOf } from './testing/minting.js';
import { startPlatform, type Platform } from './testing/platform.js';
import { visitsTo } from './testing/visits.js';

/**
 * Searches for secrets in every byte that the run has written to disk: PostgreSQL's tables, TOAST and WAL, NATS streams,
 * Redis, the state of the KMS emulator, and the log of an instance at the most verbose level.
 */
let platform: Platform;
let instance: Awaited<ReturnType<typeof startInstance>>;
const caller = accountContext();

beforeAll(async () => {
  platform = await startPlatform({ LOG_LEVEL: 'silent' });
  const environment = await platform.harness.environment('sparks', { LOG_LEVEL: 'trace' });
  instance = await startInstance(await buildService('sparks'), environment);
  await platform.service.stop(); // From here on the second instance answers.
});
afterAll(async () => {
  await instance.kill();
  await platform.harness.stop();
});

const canary = () => `canary-${randomBytes(12).toString('hex')}`;

const formsHeld = (secrets: readonly string[]) => heldOnDisk(secrets.flatMap(formsOf));

describe('MISC-03 SPK-10 SPK-50: the data on disk', () => {
  it('a control: the search finds content that is stored in clear', async () => {
    const planted = canary();
    const { spark_id } = await platform.create({ payload: 'x', filename: planted }, caller);
    expect(spark_id).toMatch(/^spk_/);
    await writeBuffers();
    const { dir } = sharedServersOfRun();
    const homes = readdirSync(dir).filter((name) => name.startsWith('postgres-'));
    const kept = homes.flatMap((home) => ['base', 'pg_wal'].map((part) => join(dir, home, 'data', part)));
    expect(heldUnder(kept, [planted])).toEqual([planted]);
  });

  it('contains no content, link or code of an unread, read, deleted or failed Spark', async () => {
    const secrets = Array.from({ length: 7 }, canary) as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const [unread, read, binary, destination, deleted, damaged, rejected] = secrets;
    await platform.create({ payload: unread }, caller);
    const spark = await platform.create({ payload: read }, caller);
    expect(await platform.read(spark.spark_id, caller)).toMatchObject({ payload: read });
    await platform.create(
      { payload: Buffer.from(binary).toString('base64'), content_type: 'image/png' },
      caller,
    );
    const link = await platform.create(
      { payload: `https://example.com/${destination}`, content_type: 'text/uri-list' },
      caller,
    );
    const removed = await platform.create({ payload: deleted, with_kindling: true }, caller);
    await platform.remove(removed.spark_id, caller);
    await Promise.allSettled([
      platform.create({ payload: `${rejected} `, content_type: 'image/png' }, caller),
      platform.create({ payload: `https://${rejected} x`, content_type: 'text/uri-list' }, caller),
      platform.create({ payload: rejected.repeat(20_000) }, caller),
    ]);
    await failEverywhere(damaged);
    expect(await formsHeld([...secrets, link.link_code as string])).toEqual([]);
  });

  it('SPK-41 MISC-03: contains neither invitees nor the live code of a shared Spark, including messages', async () => {
    const links = linksOf(platform);
    const [former, invited] = [canary(), canary()] as [string, string];
    const { spark_id } = await platform.create({ payload: canary() }, caller);
    const share = (guest: string) =>
      links.share(spark_id, { visibility: 'invite_only', invites: [`${guest}@example.test`] }, caller);
    const { link_code } = await share(former);
    await share(invited);
    expect(await links.read(link_code, caller)).toMatchObject({
      invites: [{ identity: `${invited}@example.test` }],
    });
    const sql = await schemaClient();
    expect((await sql.query(`SELECT kind FROM link_messages`)).rows).toHaveLength(2);
    await sql.end();
    await expect(
      links.share(spark_id, { visibility: 'public', invites: [`${former}@example.test`] }, caller),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await formsHeld([former, invited, link_code])).toEqual([]);
  });

  it('OPEN-25 MISC-03: contains no identity, code or token of a successful or failed verification', async () => {
    await platform.harness.start(auth); // Messages contain the account's name.
    const [links, visits] = [linksOf(platform), visitsTo(platform.harness)];
    const [proved, failed] = [canary(), canary()].map((name) => `${name}@example.test`) as [string, string];
    const { spark_id } = await platform.create({ payload: canary() }, caller);
    const { link_code } = await links.share(spark_id, { visibility: 'authenticated' }, caller);
    await visits.start(link_code, proved);
    const { verification_token } = await visits.confirm(link_code, proved, await lastCode());
    await visits.open(link_code, { describe: true, verification_token });
    await visits.start(link_code, failed);
    const sql = await schemaClient();
    await sql.query(`UPDATE link_messages SET sealed = set_byte(sealed, 30, 255 - get_byte(sealed, 30))`);
    await expect(lastCode()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await sql.query(`ALTER TABLE verifications ADD CONSTRAINT refused CHECK (code_mac IS NULL) NOT VALID`);
    for (const identity of [proved, failed])
      await expect(visits.start(link_code, identity)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await sql.query(`ALTER TABLE verifications DROP CONSTRAINT refused`);
    await sql.end();
    await expect(visits.confirm(link_code, failed, '000000')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(visits.open(link_code, { verification_token: failed })).rejects.toThrow();
    expect(await formsHeld([proved, failed, verification_token, link_code])).toEqual([]);
  });

  it('ENT-16 ENT-17 MISC-03: contains neither random data nor openings of commitments, even when the event cannot be stored', async () => {
    const generate = (format: EntropyFormat) => {
      const body = decode(EntropyRequest, { format, num_bytes: 32, with_commitment: true });
      return platform.harness.bus.call(generateEntropy, { body }, { ...caller, deadlineMs: deadlineIn(60) });
    };
    const sql = await schemaClient();
    const answers = await Promise.all(entropyFormats.map(generate));
    await sql.query(
      `ALTER TABLE outbox ADD CONSTRAINT refused CHECK (name <> 'sparks.entropy-generated') NOT VALID`,
    );
    await expect(generate('hex')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await sql.query(`ALTER TABLE outbox DROP CONSTRAINT refused`);
    await sql.end();
    const texts = answers.map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)));
    const openings = answers.map(({ opening }) => opening as string);
    expect(await formsHeld([...texts, ...openings])).toEqual([]);
  });

  it('STR-12 MISC-03: contains no content of minted, rejected or failed batches', async () => {
    const { mint } = mintingOf(platform.harness, caller);
    const secrets = Array.from({ length: 4 }, canary);
    const [kept, rejected, failing, together] = secrets.map((secret) => sparkOf(secret)) as [
      SparkToMint,
      SparkToMint,
      SparkToMint,
      SparkToMint,
    ];
    await mint([kept]);
    await expect(mint([{ ...rejected, content: `${rejected.content} ` }])).rejects.toMatchObject({
      status: 400,
    });
    const sql = await schemaClient();
    await sql.query(`ALTER TABLE sparks ADD CONSTRAINT unwished CHECK (content_type <> 'text/x') NOT VALID`);
    const batch = [together, { ...failing, content_type: 'text/x' }];
    await expect(mint(batch)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await sql.query(`ALTER TABLE sparks DROP CONSTRAINT unwished`);
    await sql.end();
    expect(await formsHeld(secrets)).toEqual([]);
  });

  /** The last enqueued code, read as notify reads it. */
  async function lastCode(): Promise<string> {
    const sql = await schemaClient();
    const { rows } = await sql.query<{ id: string }>(
      `SELECT id FROM link_messages WHERE kind = 'code' ORDER BY created_at DESC LIMIT 1`,
    );
    await sql.end();
    const body = { message_id: (rows[0] as { id: string }).id };
    return (await platform.harness.bus.call(describeMessage, { body }, internalContext())).code as string;
  }

  /** Fails to open a damaged row, and to insert a row that PostgreSQL rejects with all its columns in the error. */
  async function failEverywhere(payload: string): Promise<void> {
    const sql = await schemaClient();
    const { spark_id } = await platform.create({ payload }, caller);
    await sql.query(
      `UPDATE sparks SET ciphertext = set_byte(ciphertext, 60, 255 - get_byte(ciphertext, 60)) WHERE id = $1`,
      [spark_id],
    );
    await expect(platform.read(spark_id, caller)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await sql.query(
      `ALTER TABLE sparks ADD CONSTRAINT refused CHECK (filename IS DISTINCT FROM 'refuse me')`,
    );
    await expect(platform.create({ payload, filename: 'refuse me' }, caller)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
    });
    await sql.end();
    expect(readFileSync(instance.plan.logPath, 'utf8')).toContain('operation failed');
  }

  async function schemaClient(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: (await platform.harness.schema('sparks')).adminUrl });
    await client.connect();
    return client;
  }

  it('SPK-33 SPK-50: wiped rows contain neither key nor ciphertext', async () => {
    const sql = await schemaClient();
    const { spark_id } = await platform.create({ payload: canary() }, caller);
    await platform.read(spark_id, caller);
    const { rows } = await sql.query(`SELECT * FROM sparks WHERE status = 'ash'`);
    await sql.end();
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      expect(row).toMatchObject({ wrapped_dek: null, ciphertext: null, lock_token: null });
  });
});
