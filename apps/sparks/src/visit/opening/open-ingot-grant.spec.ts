import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { actorOf } from '@vaultsvc/contracts';
import { addOneTimeLink, type GrantPolicy } from '@vaultsvc/contracts/sparks';
import { createGrantLink, describeVersion, type NewGrantLink } from '@vaultsvc/contracts/vaults';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { Database } from '@vaultsvc/database';
import { accountContext, internalContext, reasonOf } from '@vaultsvc/testing/harness';
import {
  readContent,
  startSharingPlatform,
  type SharingFixture,
  type SharingPlatform,
} from '@vaultsvc/tools-testing/file-sharing';
import { GrantRecallRepository } from '../../sharing/grant/grant-recall.repository.js';
import { grantsOf, type Grant } from '../../testing/grants.js';

const ANN = 'ann@example.test';
let platform: SharingPlatform;
let fixture: SharingFixture;
let grants: ReturnType<typeof grantsOf>;
beforeAll(async () => {
  platform = await startSharingPlatform({ LOG_LEVEL: 'silent' });
  fixture = await platform.newSharingFixture();
  grants = grantsOf(
    { harness: platform.harness, service: platform.sparks, sql: platform.sparksSql },
    fixture.caller,
  );
});
afterAll(() => platform.harness.stop());

const policyOf = (policy: Partial<GrantPolicy>): GrantPolicy => ({
  verification_level: 'none',
  interaction: 'view',
  reveal_freshness_minutes: null,
  ...policy,
});
const context = () => internalContext('req_of_notify');
const bodyOf = (ingot_id: string, more: Partial<NewGrantLink> = {}): NewGrantLink => ({
  account_id: fixture.caller.credential.accountId,
  ...actorOf(fixture.caller),
  vault_id: fixture.vault_id,
  ingot_id,
  vat: fixture.vat,
  link_id: randomUUID(),
  group_id: randomUUID(),
  policy: policyOf({}),
  identity: null,
  expires_in_seconds: 900,
  ...more,
});
const create = (body: NewGrantLink) => platform.harness.bus.call(createGrantLink, { body }, context());
/** A grant of a new ingot. */
async function granted(identity: string | null, policy: Partial<GrantPolicy> = {}): Promise<Grant> {
  const body = bodyOf(await fixture.stored('a file'), { identity, policy: policyOf(policy) });
  const { link_id, ingot_id } = await create(body);
  const url = (await grants.resolve([link_id])).get(link_id)?.link_url as string;
  return { link_id, spark_id: ingot_id, identity, code: url.split('/').at(-1) as string };
}

describe('a grant of an ingot', () => {
  it('NTF-07 NTF-10 OPEN-64: opens once, with an interaction over vault, ingot, version and size', async () => {
    const grant = await granted(null, { interaction: 'acknowledge' });
    const file = await grants.visits.open(grant.code);
    expect((await readContent(file.download_url as string)).bytes.toString()).toBe('a file');
    const place = { account_id: fixture.caller.credential.accountId, vault_id: fixture.vault_id };
    const body = { ...place, ingot_id: grant.spark_id };
    const { version_id } = await platform.harness.bus.call(describeVersion, { body }, context());
    const bound = `${fixture.vault_id}/${grant.spark_id}/${version_id}/6`;
    const action_hash = createHash('sha256').update(bound).digest('hex');
    expect(file.interaction).toMatchObject({ actions: ['view', 'acknowledge'], action_hash });
    const token = file.interaction?.interaction_token as string;
    const version = { vault_id: fixture.vault_id, ingot_id: grant.spark_id, version_id, size_bytes: 6 };
    expect(await grants.redeem(grant.code, token)).toMatchObject({
      link_id: grant.link_id,
      action_hash,
      version,
    });
    expect(await reasonOf(grants.visits.open(grant.code))).toBe('LINK_CONSUMED');
    expect(await grants.statusOf(grant)).toBe('consumed');
  });

  it('NTF-07 NTF-36: opens for the addressed identity only', async () => {
    const grant = await granted(ANN, { verification_level: 'out_of_band' });
    for (const body of [{}, { describe: true }])
      expect(await reasonOf(grants.visits.open(grant.code, body))).toBe('LINK_VERIFICATION_REQUIRED');
    const verification_token = await grants.verify(grant);
    expect(await grants.visits.open(grant.code, { verification_token })).toMatchObject({ type: 'file' });
  });

  it('NTF-07 NTF-29: is revoked when it is recalled, and refused when it was recalled before', async () => {
    const grant = await granted(null);
    const early = bodyOf(await fixture.stored('a file'));
    const { context: service } = platform.sparks;
    const { accountId: account_id } = fixture.caller.credential;
    const recalled = { account_id, link_ids: [grant.link_id, early.link_id], spark_ids: [] };
    await service
      .get(Database)
      .transaction((tx) => service.get(GrantRecallRepository).recall(tx, recalled, null));
    expect(await reasonOf(grants.visits.open(grant.code))).toBe('LINK_REVOKED');
    expect(await reasonOf(create(early))).toBe('LINK_REVOKED');
    expect((await grants.resolve([early.link_id])).size).toBe(0);
  });

  it('NTF-07 VAT-12: needs a write token of the vault, its account and its user', async () => {
    const ingot_id = await fixture.stored('a file');
    const other = await platform.newSharingFixture(accountContext());
    const refused: [Partial<NewGrantLink>, string][] = [
      [{ vat: 'vat_x' }, 'AUTHENTICATION_ERROR'],
      [{ vat: other.vat }, 'VAT_OUT_OF_SCOPE'],
      [{ account_id: other.caller.credential.accountId }, 'VAULT_NOT_FOUND'],
      [{ vault_id: other.vault_id }, 'VAULT_NOT_FOUND'],
      [{ ingot_id: 'ing_x' }, 'INGOT_NOT_FOUND'],
    ];
    for (const [more, reason] of refused) expect(await reasonOf(create(bodyOf(ingot_id, more)))).toBe(reason);
  });

  it('NTF-08: needs an identity for every level but none', async () => {
    const ingot_id = await fixture.stored('a file');
    expect(await reasonOf(create(bodyOf(ingot_id, { identity: ANN })))).toBe('VALIDATION_ERROR');
    const policy = policyOf({ verification_level: 'passkey' });
    expect(await reasonOf(create(bodyOf(ingot_id, { policy })))).toBe('VALIDATION_ERROR');
  });

  it('NTF-07: is added once by repeated calls of vaults', async () => {
    const { accountId: account_id } = fixture.caller.credential;
    const { ingot_id, group_id, policy, link_id } = bodyOf(await fixture.stored('a file'));
    const expires_at = Math.floor(Date.now() / 1_000) + 300;
    const ids = { account_id, vault_id: fixture.vault_id, ingot_id, link_id, ...actorOf(fixture.caller) };
    const body = {
      ...ids,
      link_code: mintLinkCode(),
      expires_at,
      grant: { group_id, policy, identity: null },
    };
    const added = () => platform.harness.bus.call(addOneTimeLink, { body }, context());
    expect(await added()).toEqual(await added());
    const rows = await platform.sparksSql(`SELECT 1 FROM link_policies WHERE link_id = $1`, [link_id]);
    expect(rows).toHaveLength(1);
  });
});
