import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openContent, openSplit } from '@vaultsvc/crypto/aead';
import { Kms } from '@vaultsvc/crypto/kms';
import { unwrapKey } from '@vaultsvc/crypto/wrap';
import { accountContext } from '@vaultsvc/testing/harness';
import { awsKeyOf, sharedServers } from '@vaultsvc/testing/servers';
import pg from 'pg';
import { usePlatform } from '../testing/platform.js';

/** The form of each release (ADR 58). */
const platforms = {
  '0.1': usePlatform({ LOG_LEVEL: 'silent', OLDEST_RELEASE: '0.1' }),
  '0.2': usePlatform({ LOG_LEVEL: 'silent', OLDEST_RELEASE: '0.2' }),
};
const caller = accountContext();
const kms = new Kms({ key: awsKeyOf(sharedServers().kmsUrl, 'alias/vk-root', 'sparks') });
afterAll(() => kms.close());

/** The rows of all tables, by table: what a dump holds. */
type Copy = ReadonlyMap<string, readonly Row[]>;
type Row = Record<string, string> & { wrapped: Buffer; wrapped_dek: Buffer | null; ciphertext: Buffer };

async function copyOf(databaseUrl: string): Promise<Copy> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    );
    const copy = new Map<string, readonly Row[]>();
    for (const { name } of tables.rows)
      copy.set(name, (await client.query<Row>(`SELECT * FROM ${name}`)).rows);
    return copy;
  } finally {
    await client.end();
  }
}

/** The contents of all Sparks in these copies that open with any data key in them; key management decrypts every one. */
async function opened(...copies: readonly Copy[]): Promise<string[]> {
  const rowsOf = (table: string) => copies.flatMap((copy) => copy.get(table) ?? []);
  const keys = await Promise.all(
    rowsOf('data_keys').map(({ purpose = '', kid = '', wrapped }) =>
      kms.decrypt(wrapped, { svc: 'sparks', purpose, kid }),
    ),
  );
  expect(keys.length).toBeGreaterThan(0);
  return rowsOf('sparks').flatMap((row) => keys.flatMap((key) => contentOf(row, key)));
}

function contentOf(row: Row, key: Buffer): string[] {
  const { id = '', account_id = '', content_type = '', wrapped_dek, ciphertext } = row;
  if (!wrapped_dek) return [];
  const ids = [account_id, id];
  const attributes = [content_type, ''];
  const opening = [
    () => {
      const dek = unwrapKey(key, 'vk/v1/epoch-key', ids, attributes, wrapped_dek);
      return openContent(dek, 'vk/v1/spark-dek', [account_id, id, content_type], ciphertext);
    },
    () =>
      openSplit(
        key,
        { label: 'vk/v1/spark-content', ids, attributes },
        { half: wrapped_dek, sealed: ciphertext },
      ),
  ];
  return opening.flatMap((open) => {
    try {
      return [open().toString()];
    } catch {
      return [];
    }
  });
}

describe.each(Object.entries(platforms))(
  'a copy of all rows of %s, in the hands of an attacker with key management,',
  (_, platform) => {
    it('SPK-50 MISC-03: opens no live Spark without the keys database, and opens all with it', async () => {
      const secret = `canary-${randomBytes(12).toString('hex')}`;
      const destination = `https://example.com/${secret}`;
      await platform.create({ payload: secret }, caller);
      // Its link code needs a data key of the main database.
      await platform.create({ payload: destination, content_type: 'text/uri-list' }, caller);
      const { databaseUrl, keysDatabaseUrl } = await platform.harness.schema('sparks');
      const main = await copyOf(databaseUrl);
      expect(await opened(main)).toEqual([]);
      expect(new Set(await opened(main, await copyOf(keysDatabaseUrl)))).toEqual(
        new Set([secret, destination]),
      );
    });
  },
);
