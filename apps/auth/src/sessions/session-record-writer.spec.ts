import { describe, expect, it } from '@jest/globals';
import { CredentialCache } from '@vaultsvc/limits';
import { Database, statement } from '@vaultsvc/database';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import type { Pool } from 'pg';
import { auth } from '../service-definition.js';
import { sessionCacheKey, sessionRecord } from '../credentials/credential-records.js';
import { PrincipalRepository } from '../credentials/principal.repository.js';
import { SessionRecordWriter } from './session-record-writer.js';

const harness = useHarness({ LOG_LEVEL: 'error' });
const service = useService(harness, auth);

const openMore = statement(
  'test.open-more-families',
  `INSERT INTO families (session_type, account_id, user_id, delivery, secret, mac_key_id, expires_at)
   SELECT session_type, account_id, user_id, delivery, secret, mac_key_id, expires_at
     FROM families, generate_series(1, 1200) WHERE user_id = $1 RETURNING id`,
);
const endAll = statement(
  'test.end-families',
  `UPDATE families SET revoked_at = now(), version = version + 1 WHERE user_id = $1`,
);

describe('OPEN-52: the records of a user with 1,200 sessions', () => {
  it('are all renewed with one connection at a time', async () => {
    const database = service.context.get(Database);
    const pool = (database.dataSource.driver as unknown as { master: Pool }).master;
    const { subject } = await mintSession(service);
    const ids = (await database.query<{ id: string }>(openMore, [subject])).map(({ id }) => id);
    const principals = service.context.get(PrincipalRepository);
    const lastId = ids.at(-1) as string;
    const before = await principals.ofSession(lastId);
    if (!before) throw new Error('the session is missing');
    await database.query(endAll, [subject]);

    const renewing = service.context.get(SessionRecordWriter).renew(ids);
    expect(pool.waitingCount).toBeLessThanOrEqual(1); // Its own query.
    await renewing;
    const cache = service.context.get(CredentialCache);
    expect(await cache.put(sessionCacheKey(lastId), sessionRecord(before))).toBe(false);
  });
});
