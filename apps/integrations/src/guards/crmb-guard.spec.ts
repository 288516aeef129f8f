import { beforeAll, describe, expect, it } from '@jest/globals';
import { listCrmbFiles } from '@vaultsvc/contracts/integrations';
import { reasonOf } from '@vaultsvc/testing/harness';
import { connectCrm, crmbSession, deliverCrm, sessionSecrets } from '../testing/crm-requests.js';
import { useIntegrations } from '../testing/integrations-platform.js';

const platform = useIntegrations();
let orgId: string;
beforeAll(async () => {
  orgId = (await connectCrm(platform, 'crmb')).remoteId;
});

const record = { object_type: 'contact', record_id: '1' };
const answer = (authorization: string, body: object = record, query = '') =>
  reasonOf(
    deliverCrm(platform, listCrmbFiles, {
      target: `/v1/apps/crmb/files${query}`,
      body: JSON.stringify(body),
      headers: { authorization },
    }),
  );
const now = () => Math.floor(Date.now() / 1_000);

describe('OPEN-38: sessions of crmb', () => {
  it('are accepted for ten minutes at most', async () => {
    const lives: [Record<string, unknown>, string][] = [
      [{ iat: now(), exp: now() + 600 }, 'none'],
      [{ iat: now() - 590, exp: now() + 10 }, 'none'],
      [{ iat: now(), exp: now() + 601 }, 'AUTHENTICATION_ERROR'],
      [{ iat: now() - 601, exp: now() + 60 }, 'AUTHENTICATION_ERROR'],
      [{ iat: now() + 3_600, exp: now() + 3_700 }, 'AUTHENTICATION_ERROR'],
      [{ iat: now() - 300, exp: now() - 1 }, 'AUTHENTICATION_ERROR'],
      [{ iat: undefined }, 'AUTHENTICATION_ERROR'],
      [{ exp: undefined }, 'AUTHENTICATION_ERROR'],
    ];
    for (const [claims, reason] of lives)
      expect([claims, await answer(`Bearer ${await crmbSession(platform, orgId, claims)}`)]).toEqual([
        claims,
        reason,
      ]);
  });

  it("are signed with the secret of their org: neither another org's nor the common one is accepted", async () => {
    const { remoteId: other } = await connectCrm(platform, 'crmb');
    const common = platform.providers.settings['CRMB_SESSION_SECRET'] as string;
    for (const secret of [sessionSecrets.get(other), common])
      expect(await answer(`Bearer ${await crmbSession(platform, orgId, {}, secret)}`)).toBe(
        'AUTHENTICATION_ERROR',
      );
    expect(await answer(`Bearer ${await crmbSession(platform, other)}`)).toBe('none');
  });

  it('are for the origin of this API alone', async () => {
    for (const aud of [undefined, '', 'https://api.example.org', ['https://api.example.org'], 'vaultsvc'])
      expect(await answer(`Bearer ${await crmbSession(platform, orgId, { aud })}`)).toBe(
        'AUTHENTICATION_ERROR',
      );
  });

  it('name org and person, and are the one bearer', async () => {
    const session = await crmbSession(platform, orgId);
    const refused = [
      '',
      session,
      `Bearer ${session}, Bearer ${session}`,
      `Bearer ${session},${session}`,
      `Bearer ${await crmbSession(platform, orgId, { user_id: '' })}`,
      `Bearer ${await crmbSession(platform, orgId, { user_id: undefined })}`,
      `Bearer ${await crmbSession(platform, orgId, { user_id: 101 })}`,
      `Bearer ${await crmbSession(platform, orgId, { org_id: undefined })}`,
    ];
    for (const authorization of refused)
      expect([authorization, await answer(authorization)]).toEqual([authorization, 'AUTHENTICATION_ERROR']);
    expect(await answer(`Bearer ${session}`)).toBe('none');
  });

  it('OPEN-10: of an org that is not connected are refused, and do not count on the address', async () => {
    const session = await crmbSession(platform, '00D000000000000');
    expect(await answer(`Bearer ${session}`)).toBe('VERIFIED_REQUEST_REFUSED');
  });

  it('are refused while the installation has no vault', async () => {
    const { remoteId } = await connectCrm(platform, 'crmb');
    await platform.sql(`UPDATE installations SET vault_id = NULL WHERE remote_id = $1`, [remoteId]);
    const session = await crmbSession(platform, remoteId);
    expect(await answer(`Bearer ${session}`)).toBe('VERIFIED_REQUEST_REFUSED');
  });

  it('CRB-02: are refused for a body of another org or person', async () => {
    const session = await crmbSession(platform, orgId);
    for (const claim of [{ org_id: '00D000000000000' }, { user_id: '102' }])
      expect(await answer(`Bearer ${session}`, { ...record, ...claim })).toBe('VERIFIED_REQUEST_REFUSED');
    expect(await answer(`Bearer ${session}`, { ...record, org_id: orgId, user_id: '101' })).toBe('none');
  });
});
