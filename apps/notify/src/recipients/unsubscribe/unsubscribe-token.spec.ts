import { describe, expect, it } from '@jest/globals';
import { decodeQuery } from '@vaultsvc/contracts';
import { UnsubscribeQuery } from '@vaultsvc/contracts/notify';
import { DataKeys, permanent } from '@vaultsvc/crypto/data-keys';
import { mac } from '@vaultsvc/crypto/mac';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { notify } from '../../service-definition.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

const service = useService(useHarness({ LOG_LEVEL: 'silent' }), notify);
const { accountId } = accountContext().credential;
const category = 'c'.repeat(64);
const links = () => service.context.get(UnsubscribeLinks);
const tokenOf = (directoryKey: string) => links().tokenOf({ accountId, directoryKey, category });

/** As the first release made them. */
async function signedToken(directoryKey: string): Promise<string> {
  const text = JSON.stringify([accountId, directoryKey, category]);
  const tag = await service.context
    .get(DataKeys)
    .current('unsubscribe', permanent, (key) => mac(key, 'vk/v1/unsubscribe', text));
  return Buffer.concat([tag, Buffer.from(text)]).toString('base64url');
}

describe('NTF-41: the token of an unsubscribe link', () => {
  it.each([
    ['', tokenOf],
    [', of a mail of the first release', signedToken],
  ])('names its subscription, and is refused with any byte changed%s', async (_, make) => {
    const token = await make('email:ada@example.com');
    expect(await links().read(token)).toEqual({ accountId, directoryKey: 'email:ada@example.com', category });
    const bytes = Buffer.from(token, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] as number) ^ 1;
      expect(await reasonOf(links().read(changed.toString('base64url')))).toBe('UNSUBSCRIBE_LINK_INVALID');
    }
    for (const broken of ['', 'x', token.slice(0, -1), `${token}A`, `${token}=`])
      expect(await reasonOf(links().read(broken))).toBe('UNSUBSCRIBE_LINK_INVALID');
  });

  it('reveals neither account nor address nor category, and differs in each mail', async () => {
    const tokens = [await tokenOf('email:ada@example.com'), await tokenOf('email:ada@example.com')];
    const bytes = Buffer.from(tokens[0] as string, 'base64url').toString('latin1');
    for (const text of [accountId, accountId.slice(4, 12), 'ada@', 'example', 'ccc'])
      expect(bytes).not.toContain(text);
    expect(new Set(tokens).size).toBe(2);
  });

  it('fits into the query for the longest recipient and category', async () => {
    for (const key of [
      `email:${'\u{3042}'.repeat(64)}@${'\u{3042}'.repeat(186)}.de`,
      `id:${'\u{1f512}'.repeat(128)}`,
    ]) {
      const token = await tokenOf(key);
      expect(decodeQuery(UnsubscribeQuery, new URLSearchParams({ token }))).toEqual({ token });
    }
  });
});
