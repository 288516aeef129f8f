import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { segmentsOf } from '../../../../../tools/mail/segments.ts';
import { NotifyConfig } from '../../config.js';
import { TwilioSms } from '../../sms/twilio-sms.js';
import { failureOf, notificationTo } from '../../testing/sample-notification.js';
import { startSmsServer, type Interference } from '../../testing/sms-server.js';
import type { NotificationProvider } from '../provider.js';
import { RcsProvider } from './rcs-provider.js';
import { SmsProvider } from './sms-provider.js';
import { VoiceProvider } from './voice-provider.js';
import { WhatsAppProvider } from './whatsapp-provider.js';

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop();
});

const senders = { WHATSAPP_FROM: '+14155550101', RCS_FROM: 'rcs:agent', VOICE_FROM: '+14155550102' };

/** The emulator of Twilio, and the providers of its channels. */
async function twilio(settings: Partial<NotifyConfig> = {}, interfere?: Interference) {
  const server = await startSmsServer(interfere);
  opened.push(server);
  const { SMS_URL, SMS_FROM } = server.settings;
  const config = Object.assign(
    new NotifyConfig(),
    senders,
    { SMS_FROM, SMS_URL: new Secret(SMS_URL) },
    settings,
  );
  return { asked: server.asked, ...providersWith(config) };
}

function providersWith(config: NotifyConfig) {
  return {
    sms: new SmsProvider(config, new TwilioSms(config)),
    whatsApp: new WhatsAppProvider(config),
    rcs: new RcsProvider(config),
    voice: new VoiceProvider(config),
  };
}

const to = '+4915112345678';
const notification = notificationTo(to, { expiresAt: Date.parse('2100-11-22T21:30:00Z') / 1_000 });
const words = `Engines sent you a sealed message: Contract. Opens once, until 22 Nov, 21:30 UTC: ${notification.linkUrl}`;

describe('NTF-13 NTF-43: a notification by Twilio', () => {
  it('is a text message, whose id is returned', async () => {
    const { sms, asked } = await twilio();
    expect(await sms.send(notification)).toMatch(/^SM[0-9a-f]{32}$/);
    expect(asked).toEqual([{ To: to, From: '+14155550100', Body: words, ValidityPeriod: '36000' }]);
  });

  it('fits into one segment without a title', async () => {
    const { sms, asked } = await twilio();
    await sms.send({ ...notification, title: null, organizationName: 'O’Neill “Partners” – Dublin' });
    expect(segmentsOf(asked[0]?.['Body'] ?? '')).toEqual({ encoding: 'GSM-7', segments: 1 });
  });

  it('is a message of WhatsApp: free text, or the variables of an approved template', async () => {
    const { whatsApp, asked } = await twilio();
    await whatsApp.send(notification);
    const WHATSAPP_TEMPLATE = `HX${'a'.repeat(32)}`;
    const templated = await twilio({ WHATSAPP_TEMPLATE });
    await templated.whatsApp.send(notification);
    const parties = { To: `whatsapp:${to}`, From: 'whatsapp:+14155550101', ValidityPeriod: '36000' };
    expect(asked).toEqual([{ ...parties, Body: words }]);
    const variables = { 1: 'Engines sent you a sealed message: Contract', 2: notification.linkUrl };
    expect(templated.asked).toEqual([
      { ...parties, ContentSid: WHATSAPP_TEMPLATE, ContentVariables: JSON.stringify(variables) },
    ]);
  });

  it('is a message of RCS that Twilio does not send as a text message instead', async () => {
    const { rcs, asked } = await twilio();
    await rcs.send(notification);
    const service = `MG${'b'.repeat(32)}`;
    const pooled = await twilio({ RCS_FROM: service });
    await pooled.rcs.send(notification);
    const common = { To: `rcs:${to}`, Body: words, ValidityPeriod: '36000' };
    expect(asked).toEqual([{ ...common, From: 'rcs:agent' }]);
    expect(pooled.asked).toEqual([{ ...common, MessagingServiceSid: service }]);
  });

  it('is a call that says sender and title, and never the link or its code', async () => {
    const { voice, asked } = await twilio();
    const title = '</Say><Dial>+14155550199</Dial> & more';
    expect(await voice.send({ ...notification, title })).toMatch(/^CA[0-9a-f]{32}$/);
    const [{ To, From, Twiml = '' }] = asked as [Record<string, string>];
    expect({ To, From }).toEqual({ To: to, From: '+14155550102' });
    expect(Twiml).toContain('Engines sent you a sealed message.');
    expect(Twiml.match(/<\/?\w+/g)).toEqual(['<Response', '<Say', '</Say', '</Response']);
    expect(Twiml).not.toMatch(/links\.example|abcdefghijklmnopqrstuv/);
  });
});

const names = ['sms', 'whatsApp', 'rcs', 'voice'] as const;

describe('NTF-43: the failure of a notification by Twilio', () => {
  it.each(names)('is final for a number that it rejects: %s', async (name) => {
    const provider = (await twilio())[name];
    const failure = await failureOf(provider.send({ ...notification, address: '+15005550001' }));
    expect(failure).toMatchObject({ code: 'HTTP 400 21211', isFinal: true });
    expect(await failureOf(provider.send({ ...notification, address: 'client:ada' }))).toMatchObject({
      code: 'NUMBER_INVALID',
      isFinal: true,
    });
  });

  it.each(names)('has the delay of a 429, and is uncertain after a lost reply: %s', async (name) => {
    const throttled = await twilio({}, (response) => {
      response.writeHead(429, { 'retry-after': '3' }).end('{"code": 20429}');
      return true;
    });
    expect(await failureOf(throttled[name].send(notification))).toMatchObject({
      code: 'HTTP 429 20429',
      isFinal: false,
      retryAfterMs: 3_000,
    });
    const broken = await twilio({}, (response) => {
      response.destroy();
      return true;
    });
    expect(await failureOf(broken[name].send(notification))).toMatchObject({ isAnswerLost: true });
  });

  it.each([
    ['sms', ['SMS_URL', 'SMS_FROM']],
    ['whatsApp', ['SMS_URL', 'WHATSAPP_FROM']],
    ['rcs', ['SMS_URL', 'RCS_FROM']],
    ['voice', ['SMS_URL', 'VOICE_FROM']],
  ] as const)('is UNCONFIGURED without settings, which are named: %s', async (name, settings) => {
    const provider: NotificationProvider = providersWith(new NotifyConfig())[name];
    expect(provider.missingSettings()).toEqual(settings);
    expect(await failureOf(provider.send(notification))).toMatchObject({
      code: 'UNCONFIGURED',
      isFinal: false,
    });
    expect((await twilio())[name].missingSettings()).toEqual([]);
  });
});
