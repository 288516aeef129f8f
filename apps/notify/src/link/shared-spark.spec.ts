import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import {
  confirmVerification,
  createSpark,
  resendSparkInvitation,
  shareSpark,
  startVerification,
} from '@vaultsvc/contracts/sparks';
import { accountContext, deadlineIn, reasonOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { sparks } from '@vaultsvc/tools-testing/services/sparks';
import { notify } from '../service-definition.js';
import { startMailServer, type MailServer } from '../testing/mail-server.js';
import { startSmsServer, type SmsServer } from '../testing/sms-server.js';

let harness: Harness;
let mail: MailServer;
let sms: SmsServer;
let context: ReturnType<typeof accountContext>;
let ownerEmail: string;
beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  [mail, sms] = [await startMailServer(), await startSmsServer()];
  const { email, ...account } = await newAccount(await harness.start(auth));
  ownerEmail = email;
  context = accountContext(account);
  await harness.start(sparks);
  await harness.start(notify, {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'no-reply@example.com',
    SIGN_IN_URL: 'https://app.example.com/signin',
    ...sms.settings,
  });
});
afterAll(async () => {
  await harness.stop();
  await Promise.all([mail.stop(), sms.stop()]);
});

async function sharedWith(identity: string) {
  const { spark_id } = await harness.bus.call(createSpark, { body: { payload: 'x' } as never }, context);
  const body = { visibility: 'invite_only', invites: [identity] } as never;
  const share = await harness.bus.call(shareSpark, { params: { spark_id }, body }, context);
  return { spark_id, url: share.share_url };
}
const shareWith = async (identity: string) => (await sharedWith(identity)).url;

it('SPK-41: an invitation to a Spark by address sends one mail with its link', async () => {
  const url = await shareWith('ada@example.com');
  await eventually(
    async () => mail.received.length,
    (count) => count > 0,
  );
  expect(mail.received.map(({ to }) => to)).toEqual([['ada@example.com']]);
  expect(mail.received[0]?.raw.replaceAll('=\r\n', '')).toContain(url);
});

it('SPK-41: an invitation to a Spark by number sends one text message', async () => {
  const url = await shareWith('+4915112345678');
  await eventually(
    async () => sms.taken().length,
    (count) => count > 0,
  );
  expect(sms.taken()).toEqual([
    expect.objectContaining({ to: '+4915112345678', text: expect.stringContaining(url), segments: 1 }),
  ]);
});

it('SPK-54: an invitation to a Spark that is sent again is another mail with the same link', async () => {
  const { spark_id, url } = await sharedWith('cem@example.com');
  const received = () => mail.received.filter(({ to }) => to.includes('cem@example.com'));
  const arrived = (count: number) =>
    eventually(
      async () => received().length,
      (length) => length >= count,
    );
  await arrived(1);
  await harness.bus.call(resendSparkInvitation, { params: { spark_id } }, context);
  await arrived(2);
  expect(received().map(({ raw }) => raw.replaceAll('=\r\n', '').includes(url))).toEqual([true, true]);
});

it('OPEN-25: twenty wrong codes send one mail to the owner, with the identity and without the link', async () => {
  const url = await shareWith('bob@example.com');
  const params = { link_code: url.slice(url.lastIndexOf('/') + 1) };
  const visitor = () => ({
    requestId: newId('req_'),
    credential: { kind: 'none' as const },
    clientIp: '198.51.100.7',
    deadlineMs: deadlineIn(60),
    visit: { domain: 'link' as const, userAgent: null },
  });
  const identity = 'bob@example.com';
  for (let codes = 0; codes < 4; codes++) {
    await harness.bus.call(startVerification, { params, body: { identity } }, visitor());
    const digits = await eventually(
      async () => codesFor(identity)[codes],
      (code) => code !== undefined,
    );
    const code = digits === '000000' ? '000001' : '000000';
    for (let guesses = 0; guesses < 5; guesses++)
      await reasonOf(harness.bus.call(confirmVerification, { params, body: { identity, code } }, visitor()));
  }
  const toOwner = () => mail.received.filter(({ to }) => to.includes(ownerEmail));
  await eventually(
    async () => toOwner().length,
    (count) => count > 0,
  );
  const text = toOwner()[0]?.raw.replaceAll('=\r\n', '') ?? '';
  expect(text).toContain('Wrong codes have locked out bob@example.com');
  expect(text).not.toContain(params.link_code);
  expect(toOwner()).toHaveLength(1);
});

const codesFor = (identity: string) =>
  mail.received
    .filter(({ to }) => to.includes(identity))
    .flatMap(({ raw }) => /^Subject: (\d{6}) is your code/m.exec(raw)?.[1] ?? []);
