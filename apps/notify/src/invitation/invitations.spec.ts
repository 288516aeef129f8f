import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  inviteUser,
  removeUser,
  resendInvitation,
  updateAccount,
  updateProfile,
} from '@vaultsvc/contracts/auth';
import { EVENTS_STREAM } from '@vaultsvc/messaging';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { eventually, timed } from '@vaultsvc/testing/waiting';
import { newAccount, type TestAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import pg from 'pg';
import PostalMime from 'postal-mime';
import { freePort } from '../../../../tools/stack/servers/ports.ts';
import { MessageWaker } from '../messages/message-waker.js';
import { notify } from '../service-definition.js';
import { smtpAnswer, startMailServer, type Behaviour, type MailServer } from '../testing/mail-server.js';

const signInUrl = 'https://app.example.com/signin';

let harness: Harness;
let admin: pg.Client;
let port: number;
let authService: RunningService;
let settings: Record<string, string>;

beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  authService = await harness.start(auth);
  port = await freePort();
  settings = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Example <no-reply@example.com>',
    SIGN_IN_URL: signInUrl,
  };
  await (await harness.start(notify)).stop(); // migrates, so that tests may look into the table before they start it
  admin = new pg.Client({ connectionString: (await harness.schema('notify')).adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await harness.stop();
});

const stops: (() => Promise<void>)[] = [];
let account: TestAccount;
beforeEach(async () => {
  account = await newAccount(authService);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function startMail(behaviour: Behaviour = {}): Promise<MailServer> {
  const server = await startMailServer(behaviour, undefined, port);
  stops.push(() => server.stop());
  return server;
}

async function startNotify(given: Record<string, string> = settings): Promise<RunningService> {
  const service = await harness.start(notify, given);
  stops.push(() => service.stop());
  return service;
}

/** The caller is the account's owner in a session, or an API key. */
const context = (kind: 'session' | 'api_key' = 'session') =>
  accountContext({
    kind,
    accountId: account.accountId,
    userId: kind === 'session' ? account.userId : null,
    role: 'owner',
  });

async function invite(kind: 'session' | 'api_key' = 'session') {
  const email = `${newId('ada_')}@example.com`;
  const { user_id: userId } = await harness.bus.call(inviteUser, { body: { email } as never }, context(kind));
  return { email, userId };
}

interface MailRow {
  readonly id: string;
  readonly attempts: number;
  readonly next_attempt_at: Date;
  readonly last_error: string | null;
  readonly outcome: string | null;
}

async function rows(userId: string): Promise<MailRow[]> {
  const { schema } = await harness.schema('notify');
  return (await admin.query<MailRow>(`SELECT * FROM ${schema}.messages WHERE subject_id = $1`, [userId]))
    .rows;
}

async function change(userId: string, assignment: string): Promise<void> {
  const { schema } = await harness.schema('notify');
  await admin.query(`UPDATE ${schema}.messages SET ${assignment} WHERE subject_id = $1`, [userId]);
}

const row = (userId: string, holds: (mail: MailRow) => boolean) =>
  eventually(
    async () => (await rows(userId))[0],
    (mail) => mail !== undefined && holds(mail),
  );
const ended = (userId: string) => row(userId, ({ outcome }) => outcome !== null);
const sentTo = (server: MailServer, email: string) => server.received.filter(({ to }) => to[0] === email);

describe('OPEN-57 OPEN-59 OPEN-35: an invited user', () => {
  it('receives one mail with inviter, organization and sign-in page', async () => {
    const server = await startMail();
    await startNotify();
    await harness.bus.call(updateProfile, { body: { name: 'Charles Babbage' } as never }, context());
    const { email, userId } = await invite();
    const { id, outcome, attempts } = (await ended(userId)) as MailRow;
    expect([outcome, attempts]).toEqual(['sent', 1]);
    const [received, ...others] = sentTo(server, email);
    expect(others).toEqual([]);
    expect(received).toMatchObject({
      from: 'no-reply@example.com',
      to: [email],
      messageId: `<${id}@example.com>`,
    });
    const mail = await PostalMime.parse(received?.raw ?? '');
    expect(mail.subject).toBe('Charles Babbage invites you to Test organization on vaultsvc');
    expect(mail.text).toContain(`Sign in to accept: ${signInUrl}\n`);
  });

  it('receives another mail when the invitation is sent again', async () => {
    const server = await startMail();
    await startNotify();
    const { email, userId } = await invite();
    await ended(userId);
    await harness.bus.call(resendInvitation, { params: { user_id: userId } }, context());
    const sent = await eventually(
      () => rows(userId),
      (mails) => mails.length === 2 && mails.every(({ outcome }) => outcome !== null),
    );
    expect(sent.map(({ outcome }) => outcome)).toEqual(['sent', 'sent']);
    const received = sentTo(server, email);
    expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(2);
    const [first, second] = await Promise.all(received.map(({ raw }) => PostalMime.parse(raw)));
    expect(second?.subject).toBe(first?.subject);
  });

  it('receives a mail without an inviter when an API key invited', async () => {
    const server = await startMail();
    await startNotify();
    const { email, userId } = await invite('api_key');
    await ended(userId);
    const mail = await PostalMime.parse(sentTo(server, email)[0]?.raw ?? '');
    expect(mail.subject).toBe('You are invited to Test organization on vaultsvc');
  });

  it('sees names with HTML or right-to-left text literally and without effect', async () => {
    const server = await startMail();
    await startNotify();
    const organization_name = '<img src=x onerror=alert(1)> "R&D"';
    await harness.bus.call(updateAccount, { body: { organization_name } as never }, context());
    await harness.bus.call(updateProfile, { body: { name: 'עדה לאבלייס' } as never }, context());
    const { email, userId } = await invite();
    await ended(userId);
    const mail = await PostalMime.parse(sentTo(server, email)[0]?.raw ?? '');
    expect(mail.subject).toBe(`\u2068עדה לאבלייס\u2069 invites you to ${organization_name} on vaultsvc`);
    expect(mail.html).not.toContain('<img');
    expect(mail.html).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt; &quot;R&amp;D&quot;</bdi>');
  });

  it('receives the mail once when two instances send forty mails', async () => {
    const server = await startMail();
    await startNotify();
    await startNotify();
    const people: Awaited<ReturnType<typeof invite>>[] = [];
    for (let i = 0; i < 40; i++) people.push(await invite()); // those of one account wait for its row
    for (const { userId } of people) expect(await ended(userId)).toMatchObject({ outcome: 'sent' });
    expect(server.received.map(({ to }) => to[0]).sort()).toEqual(people.map(({ email }) => email).sort());
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(40);
  });
});

describe('OPEN-35: a mail that cannot be sent yet', () => {
  it('waits while the mail server is down, and arrives when it is back', async () => {
    await startNotify();
    const { email, userId } = await invite();
    expect(await row(userId, (mail) => mail.last_error !== null)).toMatchObject({
      attempts: 1,
      outcome: null,
      last_error: 'ESOCKET ECONNREFUSED',
    });
    const server = await startMail();
    const { outcome, attempts } = (await ended(userId)) as MailRow;
    expect(outcome).toBe('sent');
    expect(attempts).toBeGreaterThan(1);
    expect(sentTo(server, email)).toHaveLength(1);
  });

  it('is retried with a backoff from 5 seconds to 15 minutes', async () => {
    await startMail({
      onRcptTo: () => {
        throw smtpAnswer(451, '4.7.1 later');
      },
    });
    const service = await startNotify();
    let userId = '';
    const begin = async () => ({ userId } = await invite());
    const goOn = async () => {
      await change(userId, `next_attempt_at = now(), last_error = NULL`);
      service.context.get(MessageWaker).wake();
    };
    const waits = [5, 10, 20, 40, 80, 160, 320, 640, 900, 900];
    for (let attempts = 0; attempts < waits.length;) {
      const { result, from, to } = await timed(async () => {
        await (attempts === 0 ? begin() : goOn());
        return (await row(userId, ({ last_error }) => last_error !== null)) as MailRow;
      });
      ({ attempts } = result);
      const waited = result.next_attempt_at.getTime() / 1_000 - (waits[attempts - 1] as number);
      expect(waited).toBeGreaterThanOrEqual(from);
      expect(waited).toBeLessThan(to + 1);
    }
  });

  it('expires after a day', async () => {
    await startMail({
      onRcptTo: () => {
        throw smtpAnswer(451, '4.7.1 later');
      },
    });
    const service = await startNotify();
    const { userId } = await invite();
    await row(userId, (mail) => mail.last_error !== null);
    await change(userId, `first_tried_at = now() - interval '24 hours 1 second', next_attempt_at = now()`);
    service.context.get(MessageWaker).wake();
    expect(await ended(userId)).toMatchObject({ outcome: 'expired', last_error: 'EENVELOPE 451 4.7.1' });
  });

  it('fails at once when the server permanently rejects the address', async () => {
    const server = await startMail({
      onRcptTo: (address) => {
        throw smtpAnswer(550, `5.1.1 <${address}>: no such user`);
      },
    });
    await startNotify();
    const { userId } = await invite();
    expect(await ended(userId)).toMatchObject({
      outcome: 'refused',
      attempts: 1,
      last_error: 'EENVELOPE 550 5.1.1',
    });
    expect(server.received).toEqual([]);
  });

  it('waits while mail is not configured, and arrives once it is', async () => {
    const unconfigured = await startNotify({ SMTP_URL: settings['SMTP_URL'] as string });
    const { email, userId } = await invite();
    expect(await row(userId, () => true)).toMatchObject({ attempts: 0, outcome: null });
    await unconfigured.stop();
    const server = await startMail();
    await startNotify();
    expect(await ended(userId)).toMatchObject({ outcome: 'sent', attempts: 1 });
    expect(sentTo(server, email)).toHaveLength(1);
  });

  it('waits while auth is down', async () => {
    const paused = await startNotify({});
    const { email, userId } = await invite();
    await row(userId, () => true);
    await paused.stop();
    await authService.stop();
    const server = await startMail();
    const service = await startNotify();
    expect(await row(userId, (mail) => mail.last_error !== null)).toMatchObject({
      outcome: null,
      last_error: 'INTERNAL_ERROR',
    });
    authService = await harness.start(auth);
    await change(userId, `next_attempt_at = now()`);
    service.context.get(MessageWaker).wake();
    expect(await ended(userId)).toMatchObject({ outcome: 'sent' });
    expect(sentTo(server, email)).toHaveLength(1);
  });
});

describe('OPEN-59: an invitation that has ended', () => {
  it('sends no mail when it was withdrawn before', async () => {
    const waiting = await startNotify({});
    const { email, userId } = await invite();
    await row(userId, () => true);
    await waiting.stop();
    await harness.bus.call(removeUser, { params: { user_id: userId } }, context());
    const server = await startMail();
    await startNotify();
    expect(await ended(userId)).toMatchObject({ outcome: 'obsolete', attempts: 1 });
    expect(sentTo(server, email)).toEqual([]);
  });

  it('sends no mail to a user who has joined', async () => {
    const waiting = await startNotify({});
    const { email, userId } = await invite();
    await row(userId, () => true);
    await waiting.stop();
    await rowsOf(authService, `UPDATE users SET status = 'active' WHERE id = $1`, [userId]);
    const server = await startMail();
    await startNotify();
    expect(await ended(userId)).toMatchObject({ outcome: 'obsolete' });
    expect(sentTo(server, email)).toEqual([]);
  });
});

describe('MISC-03 TRAP 96: the address of an invited user', () => {
  it('is in no table of notify, no outbox row of auth and no stream, nor are the names', async () => {
    const service = await startNotify();
    const { email, userId } = await invite();
    await row(userId, (mail) => mail.last_error !== null);
    await startMail();
    await change(userId, `next_attempt_at = now()`);
    service.context.get(MessageWaker).wake();
    await ended(userId);
    const kept = [await dump('notify'), await dump('auth', 'outbox'), await streamed()].join('\n');
    expect(kept).toContain(userId);
    for (const canary of [email, email.split('@')[0] as string, account.email, 'Test organization'])
      expect(kept).not.toContain(canary);
  });

  async function dump(service: string, table?: string): Promise<string> {
    const { adminUrl, schema } = await harness.schema(service);
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1`,
      [schema],
    );
    const texts = tables
      .filter(({ name }) => table === undefined || name === table)
      .map(async ({ name }) =>
        JSON.stringify((await client.query(`SELECT * FROM ${schema}."${name}"`)).rows),
      );
    try {
      return (await Promise.all(texts)).join('\n');
    } finally {
      await client.end();
    }
  }

  async function streamed(): Promise<string> {
    const manager = await jetstreamManager(harness.connection);
    const { state } = await manager.streams.info(EVENTS_STREAM);
    const texts: string[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage(EVENTS_STREAM, { seq });
      texts.push(message?.string() ?? '');
    }
    return texts.join('\n');
  }
});

describe('MISC-01: notify, while auth is stopped or started', () => {
  it('sends an invitation that was made while notify was stopped once it starts', async () => {
    const { email, userId } = await invite();
    const server = await startMail();
    await startNotify();
    expect(await ended(userId)).toMatchObject({ outcome: 'sent' });
    expect(sentTo(server, email)).toHaveLength(1);
  });
});
