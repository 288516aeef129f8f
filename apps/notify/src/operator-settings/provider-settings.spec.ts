import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import webPush from 'web-push';
import { problemsOf } from '../testing/settings.js';

const pem = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();
const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey);
const p256 = pem(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey);
const p384 = pem(generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey);
const account = {
  project_id: 'p-1',
  client_email: 'hunter2@p-1.test',
  private_key: rsa,
  token_uri: 'https://oauth2.googleapis.com/token',
};
const vapid = webPush.generateVAPIDKeys();
const apns = {
  APNS_KEY: p256,
  APNS_KEY_ID: 'KEY0000001',
  APNS_TEAM_ID: 'TEAM000001',
  APNS_TOPIC: 'com.example.app',
};

describe('NTF-43: the settings of channels', () => {
  it('accept what the providers issue', () => {
    const settings = {
      WHATSAPP_FROM: '+14155550101',
      WHATSAPP_TEMPLATE: `HX${'a'.repeat(32)}`,
      RCS_FROM: 'rcs:my_agent',
      VOICE_FROM: '+14155550102',
      FCM_CREDENTIALS: JSON.stringify({ ...account, type: 'service_account', private_key_id: 'k' }),
      FCM_URL: 'http://127.0.0.1:8085',
      APNS_URL: 'https://api.sandbox.push.apple.com',
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      VAPID_SUBJECT: 'https://example.com/contact',
      ...apns,
    };
    expect(problemsOf(settings)).toEqual([]);
    expect(problemsOf({ ...apns, APNS_KEY: p256.replaceAll('\n', '\\n') })).toEqual([]);
    expect(problemsOf({ RCS_FROM: `MG${'b'.repeat(32)}` })).toEqual([]);
  });

  it.each([
    ['WHATSAPP_FROM', 'hunter2'],
    ['WHATSAPP_TEMPLATE', 'HXhunter2'],
    ['RCS_FROM', '+14155550101hunter2'],
    ['RCS_FROM', 'rcs:hunter2 x'],
    ['VOICE_FROM', 'MGhunter2'],
    ['FCM_CREDENTIALS', 'hunter2'],
    ['FCM_CREDENTIALS', JSON.stringify({ ...account, private_key: 'hunter2' })],
    ['FCM_CREDENTIALS', JSON.stringify({ ...account, private_key: p256 })],
    ['FCM_CREDENTIALS', JSON.stringify({ ...account, token_uri: 'http://hunter2.example' })],
    ['FCM_CREDENTIALS', JSON.stringify({ ...account, project_id: '../hunter2' })],
    ['FCM_URL', 'http://hunter2.example'],
    ['FCM_URL', 'https://fcm.googleapis.com/hunter2'],
    ['APNS_URL', 'hunter2'],
    ['APNS_KEY_ID', 'hunter2'],
    ['APNS_TOPIC', 'hunter2 x'],
    ['VAPID_PUBLIC_KEY', 'hunter2'],
    ['VAPID_SUBJECT', 'hunter2'],
  ])('reject an invalid %s by name, without its value (%#)', (name, value) => {
    const [problem] = problemsOf({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} must `));
    expect(problem).not.toContain('hunter2');
  });

  it.each([
    ['APNS_KEY', { ...apns, APNS_KEY: 'hunter2' }],
    ['APNS_KEY', { ...apns, APNS_KEY: p384 }],
    ['APNS_KEY', { ...apns, APNS_KEY: '' }],
    ['APNS_KEY', { APNS_KEY: p256 }],
    ['VAPID_PRIVATE_KEY', { VAPID_PUBLIC_KEY: vapid.publicKey }],
    ['VAPID_PRIVATE_KEY', { VAPID_PRIVATE_KEY: vapid.privateKey }],
    ['VAPID_PRIVATE_KEY', { VAPID_PUBLIC_KEY: vapid.publicKey, VAPID_PRIVATE_KEY: 'hunter2' }],
  ])('need %s to be valid and together with the others', (name, settings) => {
    const [problem] = problemsOf(settings);
    expect(problem).toMatch(new RegExp(`^${name} (must|is set together with) `));
    expect(problem).not.toContain('hunter2');
  });
});
