import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readSend, replayDelivery, sendNotification } from '@vaultsvc/contracts/notify';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { comparableAnswer, malformedIdsLike } from './indistinguishable.js';
import { failedDelivery, newSend } from './notify-samples.js';
import { newTenant, type Tenant } from './tenant.js';
import { vaultWithIngots } from './vault-samples.js';

const platform = usePlatform();
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  [tenant, other] = await Promise.all([newTenant(platform), newTenant(platform)]);
});

type Delivery = Awaited<ReturnType<typeof failedDelivery>>;

const replay = async (params: Delivery, caller: Api = tenant.key) =>
  comparableAnswer(await caller.call(replayDelivery, { params }));

/** The deliveries of a send as its owner reads them. */
async function deliveriesOf({ owner }: Tenant, { send_id }: Delivery) {
  const { recipient_states } = succeeded(await owner.call(readSend, { params: { send_id } }));
  return recipient_states.map(({ deliveries }) => deliveries);
}

describe('NTF-34 NTF-38 AMB-58: a delivery', () => {
  it('of another send or account is answered like an unknown one, and is not sent again', async () => {
    const own = await failedDelivery(tenant);
    const [sibling, theirs] = await Promise.all([failedDelivery(tenant), failedDelivery(other)]);
    const before = [await deliveriesOf(tenant, sibling), await deliveriesOf(other, theirs)];
    const unknown = await replay({ ...own, delivery_id: randomUUID() });
    expect(unknown).toMatchObject({ status: 404 });
    for (const { delivery_id } of [sibling, theirs])
      expect(await replay({ ...own, delivery_id })).toEqual(unknown);
    const ofUnknownSend = await replay({ ...theirs, send_id: newId('ntsnd_') });
    expect(ofUnknownSend).toMatchObject({ status: 404 });
    for (const delivery_id of [theirs.delivery_id, own.delivery_id, randomUUID()])
      expect(await replay({ send_id: theirs.send_id, delivery_id })).toEqual(ofUnknownSend);
    expect([await deliveriesOf(tenant, sibling), await deliveriesOf(other, theirs)]).toEqual(before);
    expect(await replay(theirs, other.key)).toMatchObject({ status: 202 });
  });

  it('with a malformed id is answered with 404', async () => {
    const own = await failedDelivery(tenant);
    for (const delivery_id of malformedIdsLike(own.delivery_id))
      expect({ delivery_id, ...(await replay({ ...own, delivery_id })) }).toMatchObject({ status: 404 });
    expect(await replay(own)).toMatchObject({ status: 202 });
  });
});

describe('NTF-21 NTF-34: the send_id that a caller chooses', () => {
  it('is its own: a send of another account with the same one neither repeats nor changes it', async () => {
    const send_id = newId('chosen_');
    const send = async (caller: Api, title: string) =>
      succeeded(await caller.call(sendNotification, { body: newSend({ send_id, title }) as never }));
    const titleOf = async (caller: Api) =>
      succeeded(await caller.call(readSend, { params: { send_id } })).title;
    expect(await send(tenant.key, 'ours')).toMatchObject({ idempotent: false });
    expect(await send(other.key, 'theirs')).toMatchObject({ idempotent: false });
    expect(await send(tenant.key, 'ours again')).toMatchObject({ idempotent: true });
    expect([await titleOf(tenant.key), await titleOf(other.key)]).toEqual(['ours', 'theirs']);
  });
});

describe('NTF-07 AMB-58: the ingot of a send', () => {
  it('of another account is answered like an unknown one, in its vault and in one of the caller', async () => {
    const [own, theirs] = await Promise.all([vaultWithIngots(tenant), vaultWithIngots(other)]);
    const send = async (ingot: { vault_id: string; ingot_id: string }) => {
      const { content: _, ...body } = newSend();
      return comparableAnswer(
        await tenant.key.call(sendNotification, { body: { ...body, ingot } as never }, own.headers),
      );
    };
    const unknownIngot = await send({ ...own.params, ingot_id: newId('ing_') });
    expect(unknownIngot).toMatchObject({ status: 404 });
    expect(await send({ ...own.params, ingot_id: theirs.params.ingot_id })).toEqual(unknownIngot);
    const unknownVault = await send({ ...own.params, vault_id: newId('vlt_') });
    expect(await send({ ...own.params, vault_id: theirs.params.vault_id })).toEqual(unknownVault);
    expect(await send(theirs.params)).toEqual(unknownVault);
    expect(await send(own.params)).toMatchObject({ status: 202 });
  });
});
