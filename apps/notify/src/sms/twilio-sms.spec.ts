import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { timed } from '@vaultsvc/testing/waiting';
import { NotifyConfig } from '../config.js';
import { smsSettings, startSmsServer, type Interference, type SmsServer } from '../testing/sms-server.js';
import { ProviderFailure } from '../outbound/provider-failure.js';
import { TwilioSms } from './twilio-sms.js';

const sms = { to: '+4915112345678', text: 'Hello', expiresAt: null };

const opened: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop();
});

async function server(interfere?: Interference): Promise<SmsServer> {
  const started = await startSmsServer(interfere);
  opened.push(started);
  return started;
}

function channel({ SMS_URL, SMS_FROM }: SmsServer['settings']): TwilioSms {
  return new TwilioSms(Object.assign(new NotifyConfig(), { SMS_URL: new Secret(SMS_URL), SMS_FROM }));
}

async function failure(sending: Promise<unknown>): Promise<ProviderFailure> {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderFailure);
  return error as ProviderFailure;
}

describe("OPEN-35: a text message over Twilio's Messages API", () => {
  it('is sent to one number, from ours', async () => {
    const { settings, asked, taken } = await server();
    await channel(settings).send({ ...sms, text: 'Größe & 100 % =\n🎉' });
    expect(asked).toEqual([{ To: sms.to, From: '+14155550100', Body: 'Größe & 100 % =\n🎉' }]);
    expect(taken()).toEqual([expect.objectContaining({ to: sms.to, text: 'Größe & 100 % =\n🎉' })]);
  });

  it('is sent from a messaging service that chooses the sender', async () => {
    const { settings, asked } = await server();
    const SMS_FROM = `MG${'b'.repeat(32)}`;
    await channel({ ...settings, SMS_FROM }).send(sms);
    expect(asked).toEqual([{ To: sms.to, MessagingServiceSid: SMS_FROM, Body: 'Hello' }]);
  });

  it.each([
    [600, 600],
    [-5, 10],
    [86_400, 36_000],
  ])('OPEN-25: valid for %i more seconds has a validity period of %i', async (left, seconds) => {
    const { settings, asked } = await server();
    const { from, to } = await timed(() =>
      channel(settings).send({ ...sms, expiresAt: Math.floor(Date.now() / 1_000) + left }),
    );
    const period = Number(asked[0]?.['ValidityPeriod']);
    expect(period).toBeLessThanOrEqual(seconds);
    expect(period).toBeGreaterThanOrEqual(seconds - (to - from));
  });
});

describe('OPEN-35: a failure to send a text message', () => {
  it.each([
    ['+15005550001', 'HTTP 400 21211'],
    ['+15005550002', 'HTTP 400 21612'],
    ['+15005550003', 'HTTP 400 21408'],
    ['+15005550004', 'HTTP 400 21610'],
    ['+15005550009', 'HTTP 400 21614'],
  ])('is permanent for %s', async (to, code) => {
    const { settings } = await server();
    const error = await failure(channel(settings).send({ ...sms, to }));
    expect(error).toMatchObject({ code, isFinal: true, isAnswerLost: false });
    expect(JSON.stringify([error.message, error.stack, error])).not.toContain(to);
  });

  it('is not permanent when the provider rejects our login', async () => {
    const { settings } = await server((response) => {
      response.writeHead(401).end('{"code": 20003}');
      return true;
    });
    expect(await failure(channel(settings).send(sms))).toMatchObject({
      code: 'HTTP 401 20003',
      isFinal: false,
    });
  });

  it.each([
    [400, '{"code": 21212, "message": "sender"}', 'HTTP 400 21212'],
    [400, '{"code": 29999, "message": "new"}', 'HTTP 400 29999'],
    [429, '{"code": 20429}', 'HTTP 429 20429'],
    [503, 'Service Unavailable', 'HTTP 503'],
    [503, '{"code": 21211}', 'HTTP 503 21211'],
    [302, '', 'HTTP 302'],
  ])('is not permanent for %i %s', async (status, body, code) => {
    const { settings } = await server((response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body);
      return true;
    });
    expect(await failure(channel(settings).send(sms))).toMatchObject({
      code,
      isFinal: false,
      isAnswerLost: false,
    });
  });

  it('follows the status of a response that breaks off after its head', async () => {
    const { settings } = await server((response) => {
      response.writeHead(201, { 'content-length': '1000' }).write('{"sid": ', () => response.destroy());
      return true;
    });
    await channel(settings).send(sms);
  });
});

describe('SHR-14: the failure of a text message says whether it may have been sent', () => {
  it('after no response within 3 seconds: it may', async () => {
    const { settings, taken } = await server(() => true);
    const begun = Date.now();
    expect(await failure(channel(settings).send(sms))).toMatchObject({
      code: 'TIMEOUT',
      isFinal: false,
      isAnswerLost: true,
    });
    expect(Date.now() - begun).toBeGreaterThan(2_900);
    expect(taken()).toHaveLength(1);
  });

  it('after a connection that breaks before the response: it may', async () => {
    const { settings } = await server((response) => {
      response.destroy();
      return true;
    });
    expect(await failure(channel(settings).send(sms))).toMatchObject({
      code: 'ECONNRESET',
      isAnswerLost: true,
    });
  });

  it('with no provider listening: it was not', async () => {
    const { settings, stop } = await startSmsServer();
    await stop();
    expect(await failure(channel(settings).send(sms))).toMatchObject({
      code: 'ECONNREFUSED',
      isAnswerLost: false,
    });
  });

  it.each([
    ['breaks off', (socket: Socket) => void socket.destroy(), 'ECONNRESET'],
    ['says nothing', () => {}, 'TIMEOUT'],
  ])('with TLS that %s: it was not', async (_, greet, code) => {
    const port = await listen(
      createServer((socket) => void socket.on('error', () => {}).once('data', () => greet(socket))),
    );
    const { SMS_URL, SMS_FROM } = smsSettings(port);
    const sending = channel({ SMS_URL: SMS_URL.replace('http:', 'https:'), SMS_FROM }).send(sms);
    expect(await failure(sending)).toMatchObject({ code, isAnswerLost: false });
  });
});

describe('TRAP 96: the recipient of a text message', () => {
  it.each(['', '0151 12345678', '+4915112345678,+14155550101', 'ada@example.com', '+49151\n2345678'])(
    'receives nothing at an invalid number: %j',
    async (to) => {
      const { settings, asked } = await server();
      expect(await failure(channel(settings).send({ ...sms, to }))).toEqual(
        new ProviderFailure('NUMBER_INVALID', { isFinal: true }),
      );
      expect(asked).toEqual([]);
    },
  );

  it('receives nothing without settings', async () => {
    expect(await failure(channel({ SMS_URL: '', SMS_FROM: '' }).send(sms))).toMatchObject({
      code: 'UNCONFIGURED',
      isFinal: false,
    });
  });
});

async function listen(tcp: Server): Promise<number> {
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  opened.push({ stop: () => void tcp.close() });
  return (tcp.address() as AddressInfo).port;
}
