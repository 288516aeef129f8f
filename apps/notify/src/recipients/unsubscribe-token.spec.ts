import { describe, expect, it } from '@jest/globals';
import { decodeQuery } from '@vaultsvc/contracts';
import { UnsubscribeQuery } from '@vaultsvc/contracts/notify';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { notify } from '../service-definition.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

const service = useService(useHarness({ LOG_LEVEL: 'silent' }), notify);
const { accountId } = accountContext().credential;
const category = 'c'.repeat(64);
const tokenOf = async (directoryKey: string) => {
  const url = await service.context.get(UnsubscribeLinks).urlOf({ accountId, directoryKey, category });
  return new URL(url).searchParams.get('token') ?? '';
};

describe('NTF-41: the token of an unsubscribe link', () => {
  it('names its subscription, and is refused with any byte changed', async () => {
    const links = service.context.get(UnsubscribeLinks);
    const token = await tokenOf('email:ada@example.com');
    expect(await links.read(token)).toEqual({ accountId, directoryKey: 'email:ada@example.com', category });
    const bytes = Buffer.from(token, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] as number) ^ 1;
      expect(await reasonOf(links.read(changed.toString('base64url')))).toBe('UNSUBSCRIBE_LINK_INVALID');
    }
    for (const broken of ['', 'x', token.slice(0, -1), `${token}A`, `${token}=`])
      expect(await reasonOf(links.read(broken))).toBe('UNSUBSCRIBE_LINK_INVALID');
  });

  it('fits into the query for the longest recipient and category', async () => {
    const token = await tokenOf(`id:${'\u{1f512}'.repeat(128)}`);
    expect(decodeQuery(UnsubscribeQuery, new URLSearchParams({ token }))).toEqual({ token });
  });
});
