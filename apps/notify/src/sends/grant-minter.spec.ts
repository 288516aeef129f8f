import { expect, it } from '@jest/globals';
import { accountContext } from '@vaultsvc/testing/harness';
import { AccountSettings } from '../settings/account-settings.js';
import { newSend } from '../testing/new-send.js';
import { planGrants, recallOf } from './grant-minter.js';
import { readTerms } from './send-terms.js';

const termsOf = (changes: Parameters<typeof newSend>[0]) =>
  readTerms(newSend(changes), new AccountSettings(), accountContext(), () => Promise.resolve([]));

it('NTF-07 NTF-29: the grant of an ingot names the ingot, and its recall destroys no Spark', async () => {
  const ingot = { ingot_id: 'ing_1', vault_id: 'vlt_1' };
  const terms = await termsOf({ content: undefined, ingot } as never);
  const grants = planGrants(terms);
  expect(grants).toMatchObject([{ assetId: 'ing_1' }]);
  expect(recallOf(terms, grants)).toMatchObject({ link_ids: [grants[0]?.linkId], spark_ids: [] });
});

it('NTF-06 NTF-29: each recipient of a content has a Spark of its own, which a recall destroys', async () => {
  const terms = await termsOf({ recipients: ['a', 'b'] });
  const grants = planGrants(terms);
  const sparkIds = grants.map(({ assetId }) => assetId);
  expect(new Set(sparkIds).size).toBe(2);
  for (const id of sparkIds) expect(id).toMatch(/^spk_/);
  expect(recallOf(terms, grants).spark_ids).toEqual(sparkIds);
});
