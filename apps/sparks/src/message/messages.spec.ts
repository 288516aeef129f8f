import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addOneTimeLink, deliverLink } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { internalContext, reasonOf } from '@vaultsvc/testing/harness';
import { emptyKeyCaches } from '../testing/key-caches.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });

const callContext = () => internalContext();

describe('LinkMessageQueue', () => {
  it('SHR-14: waits for a data key before its transaction, so that no call occupies a connection meanwhile', async () => {
    const place = { account_id: newId('acc_'), vault_id: newId('vlt_'), ingot_id: newId('ing_') };
    const link = {
      link_id: randomUUID(),
      link_code: mintLinkCode(),
      expires_at: Math.floor(Date.now() / 1_000) + 300,
    };
    const body = { ...place, ...link, actor_type: 'api_key', actor_id: 'key_1' } as const;
    await platform.harness.bus.call(addOneTimeLink, { body }, callContext());
    emptyKeyCaches(platform.service);
    const delivery = { ...place, link_code: link.link_code, identity: 'ann@example.test' };
    const reasons = await Promise.all(
      Array.from({ length: 60 }, () =>
        reasonOf(platform.harness.bus.call(deliverLink, { body: delivery }, callContext())),
      ),
    );
    expect(new Set(reasons)).toEqual(new Set(['none']));
    const [row] = await platform.sql<{ count: number }>(`SELECT count(*)::int AS count FROM link_messages`);
    expect(row?.count).toBe(60);
  });
});
