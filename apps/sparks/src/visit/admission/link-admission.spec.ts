import { describe, expect, it } from '@jest/globals';
import { AppError } from '@vaultsvc/contracts';
import { shareSpark } from '@vaultsvc/contracts/sparks';
import { accountContext } from '@vaultsvc/testing/harness';
import { usePlatform } from '../../testing/platform.js';
import { LinkAdmission } from './link-admission.js';

const platform = usePlatform();
const caller = accountContext();
const visit = { visit: { domain: 'link', userAgent: null }, clientIp: '192.0.2.7' } as never;

async function sharedCode(): Promise<string> {
  const { spark_id } = await platform.create({ payload: 'x' }, caller);
  const body = { visibility: 'public', invites: [] } as const;
  const { link_code } = await platform.harness.bus.call(
    shareSpark,
    { params: { spark_id }, body: body as never },
    caller,
  );
  return link_code;
}

describe('OPEN-23: a link that could not be opened after it was admitted', () => {
  const otherwise = new AppError('LINK_ADDRESS_REFUSED');

  it('has the error of what became of it since', async () => {
    const admission = platform.service.context.get(LinkAdmission);
    const link = await admission.admit(await sharedCode(), visit);
    expect(await admission.currentError(link, otherwise)).toBe(otherwise);
    await platform.sql(`UPDATE sparklinks SET status = 'consumed', consumed_at = now() WHERE id = $1`, [
      link.id,
    ]);
    expect(await admission.currentError(link, otherwise)).toMatchObject({ status: 403 });
    await platform.sql(`DELETE FROM sparklinks WHERE id = $1`, [link.id]);
    expect(await admission.currentError(link, otherwise)).toMatchObject({
      reason: 'LINK_NOT_FOUND',
      status: 404,
    });
  });
});
