import { describe, expect, it } from '@jest/globals';
import { listSparkHistory } from '@vaultsvc/contracts/reporting';
import { createSpark, deleteSpark, readSpark, shareSpark } from '@vaultsvc/contracts/sparks';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { mintSession } from '@vaultsvc/tools-testing/accounts';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant } from '../access/tenant.js';

const platform = usePlatform();
const spark = {
  payload: 'the secret',
  ttl_minutes: 5,
  content_type: 'text/plain',
  filename: null,
  with_kindling: false,
};
const query = { limit: 25 };

describe('SPK-53: the history of Sparks, over HTTP', () => {
  it('tells of what an account has sent who opened it, what was withdrawn, and what is open, with labels and names', async () => {
    const { owner, key, ownerSession } = await newTenant(platform);
    const make = async (label: string) =>
      succeeded(await owner.call(createSpark, { body: { ...spark, label } })).spark_id;
    const [shared, read, deleted, open] = [
      await make('shared'),
      await make('read'),
      await make('deleted'),
      await make('open'),
    ];
    const body = { visibility: 'public' as const, invites: [] };
    const link = succeeded(await owner.call(shareSpark, { params: { spark_id: shared }, body }));
    const visit = await fetch(`${link.share_url}/open`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(visit.status).toBe(200);
    succeeded(await key.call(readSpark, { params: { spark_id: read } }));
    await owner.call(deleteSpark, { params: { spark_id: deleted } });
    const { items } = await eventually(
      async () => succeeded(await owner.call(listSparkHistory, { query })),
      (page) => page.items.filter(({ status }) => status !== 'active').length === 3,
    );
    const created_by = { kind: 'person', id: ownerSession.subject, name: expect.stringContaining('@') };
    expect(items).toMatchObject([
      { spark_id: open, label: 'open', status: 'active', created_by, openings: [] },
      { spark_id: deleted, label: 'deleted', status: 'withdrawn', ended_by: created_by, openings: [] },
      {
        spark_id: read,
        label: 'read',
        status: 'opened',
        openings: [{ opened_by: { kind: 'api_key', name: expect.stringMatching(/./) } }],
      },
      {
        spark_id: shared,
        label: 'shared',
        status: 'opened',
        openings: [{ opened_by: { kind: 'visitor', name: null }, verified_by: null }],
      },
    ]);
    for (const secret of [link.link_code, 'the secret', 'http'])
      expect(JSON.stringify(items)).not.toContain(secret);
  });

  it('shows a member their own Sparks, and answers 403 for those of another', async () => {
    const { owner, accountId, ownerSession } = await newTenant(platform);
    const session = await mintSession(platform.auth, { accountId, role: 'member' });
    const member = api(platform.url, { jwt: session.token });
    succeeded(await owner.call(createSpark, { body: spark }));
    const { spark_id } = succeeded(await member.call(createSpark, { body: spark }));
    await eventually(
      async () => succeeded(await owner.call(listSparkHistory, { query })).count,
      (count) => count === 2,
    );
    expect(succeeded(await member.call(listSparkHistory, { query })).items).toMatchObject([{ spark_id }]);
    const foreign = { ...query, created_by: ownerSession.subject };
    expect(await member.call(listSparkHistory, { query: foreign })).toMatchObject({ status: 403 });
  });
});
