import { beforeAll, describe, expect, it } from '@jest/globals';
import { updateAccount, updateSettings } from '@vaultsvc/contracts/auth';
import { shareSpark } from '@vaultsvc/contracts/sparks';
import type { RunningService } from '@vaultsvc/service';
import { accountContext } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { usePlatform } from '../../testing/platform.js';
import { visitsTo, type Visits } from '../../testing/visits.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let authService: RunningService;
let visits: Visits;

beforeAll(async () => {
  authService = await platform.harness.start(auth, { LOG_LEVEL: 'silent' });
  visits = visitsTo(platform.harness);
});

/** The link of a text of a new organization with this name, which allows visitors to read it, or not. */
async function linkOf(organization_name: string, links_show_organization: unknown = true): Promise<string> {
  const { bus } = platform.harness;
  const caller = accountContext(await newAccount(authService));
  await bus.call(updateAccount, { body: { organization_name } }, caller);
  await bus.call(updateSettings, { body: { settings: { links_show_organization } } }, caller);
  const { spark_id } = await platform.create({ payload: 'x' }, caller);
  const body = { visibility: 'public' as const, invites: [] };
  return (await bus.call(shareSpark, { params: { spark_id }, body }, caller)).link_code;
}
const describeLink = (code: string) => visits.open(code, { describe: true });

describe('OPEN-23: the description of a link', () => {
  it('names the organization that shared it if the account allows that; the content does not', async () => {
    const code = await linkOf('Acme Ltd.');
    // Auth has a second to tell the name; without it the description is as of an account that names nobody.
    const described = await eventually(
      () => describeLink(code),
      (content) => 'shared_by' in content,
    );
    expect(described).toEqual({ type: 'content', once: true, shared_by: 'Acme Ltd.' });
    expect(await visits.open(code)).not.toHaveProperty('shared_by');
  });

  it.each([false, 'true', 1, null])('names no organization if the setting is %j', async (setting) => {
    expect(await describeLink(await linkOf('Acme Ltd.', setting))).toEqual({ type: 'content', once: true });
  });

  it.each(['ann@example.com', 'Ann Example <ann@example.com>'])(
    'never contains an e-mail address, as in an organization named %s',
    async (name) => {
      expect(await describeLink(await linkOf(name))).toEqual({ type: 'content', once: true });
    },
  );

  it('names no organization while auth does not answer', async () => {
    const code = await linkOf('Acme Ltd.');
    await authService.stop();
    expect(await describeLink(code)).toEqual({ type: 'content', once: true });
  });
});
