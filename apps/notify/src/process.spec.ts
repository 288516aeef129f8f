import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteUser } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { newAccount, type TestAccount } from '@vaultsvc/tools-testing/accounts';
import {
  buildService,
  linesOf,
  startProcess,
  waitForOutput,
  type ServiceProcess,
} from '@vaultsvc/tools-testing/service-process';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import pg from 'pg';
import { notify } from './service-definition.js';
import { smtpAnswer, startMailServer, type MailServer } from './testing/mail-server.js';
import { linkMessage, owe, scriptedSparks } from './testing/scripted-sparks.js';
import { startSmsServer, type SmsServer } from './testing/sms-server.js';

let harness: Harness;
let admin: pg.Client;
let bundle: string;
let account: TestAccount;
let schema: string;
let sparks: RunningService;

beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  bundle = await buildService('notify');
  account = await newAccount(await harness.start(auth));
  sparks = await harness.start(scriptedSparks);
  await (await harness.start(notify)).stop(); // migrates
  const notifySchema = await harness.schema('notify');
  schema = notifySchema.schema;
  admin = new pg.Client({ connectionString: notifySchema.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await harness.stop();
});

const programs: ServiceProcess[] = [];
const servers: (MailServer | SmsServer)[] = [];
afterEach(async () => {
  for (const { process, ended } of programs.splice(0)) {
    process.kill('SIGKILL');
    await ended;
  }
  for (const server of servers.splice(0)) await server.stop();
});

/** The bundled service as a process of its own, ready. */
async function run(settings: Record<string, string>): Promise<ServiceProcess> {
  const env = await harness.environment('notify', { LOG_LEVEL: 'trace', ...settings });
  const program = startProcess(bundle, 'main', env);
  programs.push(program);
  await waitForOutput(program, '"msg":"ready"');
  return program;
}

async function startMail(behaviour: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(behaviour);
  servers.push(server);
  return server;
}

const mailSettings = ({ port }: MailServer) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: 'no-reply@example.com',
  SIGN_IN_URL: 'https://app.example.com/signin',
});

async function invite() {
  const email = `${newId('canary_')}@example.com`;
  const context = accountContext({ accountId: account.accountId });
  const { user_id: userId } = await harness.bus.call(inviteUser, { body: { email } as never }, context);
  return { email, userId };
}

/** One after the other: invitations of one account wait for its row. */
async function inviteMany(count: number) {
  const people: Awaited<ReturnType<typeof invite>>[] = [];
  for (let i = 0; i < count; i++) people.push(await invite());
  return people;
}

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give: () => give() };
}

async function outcomes(people: readonly { userId: string }[]): Promise<(string | null)[]> {
  const ids = people.map(({ userId }) => userId);
  const { rows } = await admin.query<{ outcome: string | null }>(
    `SELECT outcome FROM ${schema}.messages WHERE subject_id = ANY($1)`,
    [ids],
  );
  return rows.map(({ outcome }) => outcome);
}

/** Longer than the 30 s after which JetStream redelivers an event that a killed service had not acknowledged. */
const PATIENCE_SECONDS = 45;

const allEnded = (people: readonly { userId: string }[]) =>
  eventually(
    () => outcomes(people),
    (found) => found.length === people.length && !found.includes(null),
    PATIENCE_SECONDS,
  );

/** Ends the claim now instead of a minute later (OPEN-63). */
const endClaims = () =>
  admin.query(`UPDATE ${schema}.messages SET next_attempt_at = now() WHERE closed_at IS NULL`);

describe('OPEN-35: notify killed while it sends a mail', () => {
  it('delivers it at most twice, under one Message-ID, if the server had not confirmed', async () => {
    const atServer = signal();
    const server: MailServer = await startMail({
      beforeConfirming: async () => {
        if (server.received.length > 1) return;
        atServer.give();
        await new Promise(() => {}); // the first is never confirmed
      },
    });
    const first = await run(mailSettings(server));
    const person = await invite();
    await atServer.given;
    first.process.kill('SIGKILL');
    await first.ended;
    await endClaims();
    await run(mailSettings(server));
    expect(await allEnded([person])).toEqual(['sent']);
    expect(server.received.map(({ to }) => to[0])).toEqual([person.email, person.email]);
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('delivers each of sixty mails, and only those in flight twice', async () => {
    const server: MailServer = await startMail({
      beforeConfirming: async () => {
        if (server.received.length === 20) doomed.process.kill('SIGKILL');
      },
    });
    const doomed = await run(mailSettings(server));
    const people = await inviteMany(60);
    await doomed.ended;
    await endClaims();
    await run(mailSettings(server));
    expect(new Set(await allEnded(people))).toEqual(new Set(['sent']));
    const copies = people.map(({ email }) => server.received.filter(({ to }) => to[0] === email).length);
    expect(Math.min(...copies)).toBe(1);
    expect(Math.max(...copies)).toBeLessThanOrEqual(2);
    expect(copies.filter((count) => count === 2).length).toBeLessThanOrEqual(5); // one per connection
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(60);
  });
});

describe('SHR-14: notify killed while it sends a text message', () => {
  it('delivers it at most twice, and logs no number, link or token', async () => {
    const atServer = signal();
    const server: SmsServer = await startSmsServer(() => {
      if (server.asked.length > 1) return false;
      atServer.give();
      return true; // the first is never answered
    });
    servers.push(server);
    const doomed = await run(server.settings);
    const message = linkMessage({ channel: 'phone', kind: 'delivery' });
    const userId = await owe(sparks, message);
    await atServer.given;
    doomed.process.kill('SIGKILL');
    await doomed.ended;
    await endClaims();
    const next = await run(server.settings);
    expect(await allEnded([{ userId }])).toEqual(['sent']);
    expect(server.taken().map(({ to }) => to)).toEqual([message.to, message.to]);
    const refused = linkMessage({ channel: 'phone', to: '+15005550001' });
    expect(await allEnded([{ userId: await owe(sparks, refused) }])).toEqual(['refused']);
    await waitForOutput(next, '"code":"HTTP 400 21211"');
    const output = doomed.output() + next.output();
    for (const canary of [message.to, refused.to, message.link_url as string, 'Canary', 'hunter2'])
      expect(output).not.toContain(canary);
  });
});

describe('OPEN-35: notify on SIGTERM', () => {
  it('finishes the mail that is being sent, then exits with 0', async () => {
    const [atServer, mayConfirm] = [signal(), signal()];
    const server = await startMail({
      beforeConfirming: async () => {
        atServer.give();
        await mayConfirm.given;
      },
    });
    const program = await run(mailSettings(server));
    const person = await invite();
    await atServer.given;
    program.process.kill('SIGTERM');
    await waitForOutput(program, '"msg":"stopping"');
    mayConfirm.give();
    expect(await program.ended).toBe(0);
    expect(await outcomes([person])).toEqual(['sent']);
    expect(server.received).toHaveLength(1);
  });
});

describe('MISC-03 TRAP 96: the log of notify', () => {
  it('contains no address and no password, whatever the mail server replies', async () => {
    const server: MailServer = await startMail({
      onRcptTo: (address) => {
        if (server.received.length > 0) throw smtpAnswer(550, `5.1.1 <${address}>: never heard of it`);
      },
    });
    const SMTP_URL = `smtp://127.0.0.1:${server.port}`;
    const program = await run({ ...mailSettings(server), SMTP_URL });
    const welcome = await invite();
    await allEnded([welcome]);
    const refused = await invite();
    expect(await allEnded([refused])).toEqual(['refused']);
    await waitForOutput(program, '"msg":"message failed"');
    // The SDK of KMS warns about the version of Node in lines of its own.
    const entries = linesOf(program).filter((line) => line.startsWith('{'));
    const lines = entries.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'message closed', outcome: 'sent', level: 'info' }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'message failed', level: 'error', code: 'EENVELOPE 550 5.1.1' }),
    );
    for (const canary of [welcome.email, refused.email, 'canary_', 'no-reply@', 'Test organization'])
      expect(program.output()).not.toContain(canary);
  });

  it('names the missing settings once if mail is not configured', async () => {
    const server = await startMail();
    const { SMTP_URL } = mailSettings(server);
    const program = await run({ SMTP_URL });
    const person = await invite();
    await eventually(
      () => outcomes([person]),
      (found) => found.length === 1,
    );
    await waitForOutput(program, 'email messages are queued until');
    const lines = linesOf(program).filter((line) => line.includes('email messages are queued until'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'warn', settings: ['MAIL_FROM', 'SIGN_IN_URL'] }),
    ]);
    expect(server.received).toEqual([]);
    await run(mailSettings(server));
    expect(await allEnded([person])).toEqual(['sent']);
  });
});
