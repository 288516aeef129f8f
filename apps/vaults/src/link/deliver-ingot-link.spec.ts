import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deliverIngotLink } from '@vaultsvc/contracts/vaults';
import { notify } from '@vaultsvc/tools-testing/services/notify';
import { startSharingPlatform, type SharingFixture, type SharingPlatform } from '../testing/sharing.js';

const [BY_MAIL, BY_TEXT] = ['ann@example.test', '+4915112345678'];
let platform: SharingPlatform;
let fixture: SharingFixture;
let ingot_id: string;
beforeAll(async () => {
  platform = await startSharingPlatform({ LOG_LEVEL: 'silent' });
  fixture = await platform.newSharingFixture();
  ingot_id = await fixture.stored('a file');
});
afterAll(() => platform.harness.stop());

const deliver = async (identity: string) => {
  const { link_code: code } = await fixture.link(ingot_id);
  const params = { vault_id: fixture.vault_id, ingot_id, code };
  return fixture.call(deliverIngotLink, { params, body: { identity } });
};
const queued = async () =>
  (await platform.sparksSql(`SELECT 1 FROM link_messages WHERE kind = 'delivery'`)).length;
const sent = { delivered: true, delivered_at: expect.any(Number) };
const refused = { delivered: false, delivered_at: null, reason: 'unconfigured' };

describe('POST …/sparklinks/{code}/deliver', () => {
  it('SHR-14: succeeds while notify is down, which sends the message later', async () => {
    expect(await deliver(BY_MAIL)).toMatchObject(sent);
  });

  it('OPEN-35: answers delivered: false with its reason, and queues nothing, where no sender is configured for the identity', async () => {
    const none = await platform.harness.start(notify, { LOG_LEVEL: 'silent' });
    const before = await queued();
    expect(await deliver(BY_MAIL)).toMatchObject({ ...refused, identity: BY_MAIL });
    expect(await deliver(BY_TEXT)).toMatchObject({ ...refused, identity: BY_TEXT });
    expect(await queued()).toBe(before);
    await none.stop();
  });

  it('OPEN-35: distinguishes e-mail and SMS', async () => {
    await platform.harness.start(notify, {
      LOG_LEVEL: 'silent',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'no-reply@example.com',
      SIGN_IN_URL: 'https://app.example.com/signin',
    });
    const before = await queued();
    expect(await deliver(BY_MAIL)).toMatchObject(sent);
    expect(await deliver(BY_TEXT)).toMatchObject(refused);
    expect(await queued()).toBe(before + 1);
  });
});
