import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  NotifyConfiguration,
  NotifyContent,
  notifyChannels,
  putConfig,
  readSend,
  sendNotification,
} from '@vaultsvc/contracts/notify';
import { accountContext, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { found, formsOf, heldOnDisk } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { sparks } from '@vaultsvc/tools-testing/services/sparks';
import { buildService, startInstance } from '../../../tools/races/service-instances.ts';
import { notify } from './service-definition.js';
import { startMailServer, type MailServer } from './testing/mail-server.js';
import { newSend } from './testing/new-send.js';
import { ProviderServer } from './testing/provider-server.js';
import { startSmsServer, type SmsServer } from './testing/sms-server.js';

/**
 * Searches for the content of notifications in every byte that the run has written to disk, and in every message that a
 * provider received. Notify and sparks are processes that log at the most verbose level.
 */
let harness: Harness;
let mails: MailServer;
let texts: SmsServer;
let endpoint: ProviderServer;
let caller: AccountContext;
let instances: Awaited<ReturnType<typeof startInstance>>[];

beforeAll(async () => {
  [harness, mails, texts, endpoint] = await Promise.all([
    startHarness({ LOG_LEVEL: 'silent' }),
    startMailServer(),
    startSmsServer(),
    ProviderServer.start(),
  ]);
  const { accountId, userId } = await newAccount(await harness.start(auth));
  caller = accountContext({ accountId, userId });
  instances = await Promise.all([
    startTracing(sparks, {}),
    startTracing(notify, {
      ...texts.settings,
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: 'no-reply@example.test',
      SIGN_IN_URL: 'http://127.0.0.1:8084/signin',
    }),
  ]);
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.kill()));
  await Promise.all([harness.stop(), mails.stop(), texts.stop(), endpoint.stop()]);
});

/** An instance that logs everything. The service is started here first, because that creates its tables. */
async function startTracing(definition: typeof notify | typeof sparks, settings: Record<string, string>) {
  const { name } = definition;
  const [bundle, service] = await Promise.all([
    buildService(name),
    harness.start(definition as typeof notify),
  ]);
  await service.stop();
  return startInstance(bundle, await harness.environment(name, { ...settings, LOG_LEVEL: 'trace' }));
}

const canary = () => `canary-${randomBytes(12).toString('hex')}`;
const call = <T>(work: (context: AccountContext) => Promise<T>) =>
  work({ ...caller, deadlineMs: Date.now() + 60_000 });

/** All that providers received, as text. */
const received = () =>
  [
    ...mails.received.map(({ raw }) => raw),
    ...texts.asked.map((form) => JSON.stringify(form)),
    ...endpoint.received.map(({ headers, body }) => JSON.stringify(headers) + body.toString()),
  ].join('\n');

describe('NTF-23 NTF-30 MISC-03: the content of a notification', () => {
  it('is in no table, log, stream or message of any channel, and the address of the recipient is', async () => {
    const [content, refused, title] = [canary(), canary(), canary()] as [string, string, string];
    const email = `${canary()}@example.test`;
    await call((context) =>
      harness.bus.call(
        putConfig,
        {
          body: Object.assign(new NotifyConfiguration(), {
            targets: { webhook: { url: endpoint.origin } },
          }),
        },
        context,
      ),
    );
    const channels = notifyChannels.filter((channel) =>
      ['in_app', 'websocket', 'email', 'sms', 'webhook'].includes(channel),
    );
    const send = (payload: string, content_type = 'text/plain') =>
      call((context) =>
        harness.bus.call(
          sendNotification,
          {
            body: newSend({
              recipients: [{ email, phone: '+4915112345678' }],
              content: Object.assign(new NotifyContent(), { payload, content_type }),
              channels,
              escalation: { delays: channels.map(() => 0) },
              title,
            }),
          },
          context,
        ),
      );
    const { send_id } = await send(content);
    await expect(send(`${refused} `, 'image/png')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await eventually(
      () => call((context) => harness.bus.call(readSend, { params: { send_id } }, context)),
      ({ status }) => status === 'delivered',
    );
    // One channel is enough for that status; the others may still be on their way.
    await eventually(
      () => [mails.received, texts.asked, endpoint.received].map(({ length }) => length > 0),
      (reached) => reached.every(Boolean),
    );
    const messages = received();
    expect(found(messages, [title, email])).toEqual([title, email]);
    expect(found(messages, [content, refused].flatMap(formsOf))).toEqual([]);
    expect(await heldOnDisk([email])).toEqual([email]);
    expect(await heldOnDisk([content, refused].flatMap(formsOf))).toEqual([]);
  });
});
