import { describe, expect, it } from '@jest/globals';
import { deleteLink } from '@vaultsvc/contracts/sparks';
import { rowsOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { startTransfers } from '@vaultsvc/tools-testing/transfers';
import { useSharingPlatform } from '../testing/sharing.js';
import { istkOf } from '../testing/uploads.js';

const platform = useSharingPlatform();

describe('ENV-30: the withdrawal of a consumed link while forge is away', () => {
  it('LNK-15 AMB-36: succeeds, and ends the download that it had issued once forge is back', async () => {
    const fixture = await platform.newSharingFixture();
    const ingotId = await fixture.stored('resumable');
    const { link_code } = await fixture.link(ingotId);
    const { download_url } = await platform.visit(link_code, 'link', { resume: true });
    const { lookup } = istkOf(download_url as string);
    await platform.forge.stop();
    const withdraw = () => fixture.call(deleteLink, { params: { link_code } });
    expect(await withdraw()).toEqual({ deleted: true, link_code });
    expect(await withdraw()).toEqual({ deleted: true, link_code });
    const { forge } = await startTransfers(platform.harness);
    await until(async () => {
      const [row] = await rowsOf(forge, `SELECT revoked_at FROM istks WHERE lookup = $1`, [lookup]);
      return row?.revoked_at !== null;
    });
  });
});
