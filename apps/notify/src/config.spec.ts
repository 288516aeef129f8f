import { describe, expect, it } from '@jest/globals';
import { expectNumberSetting } from '@vaultsvc/testing/fixtures';
import { NotifyConfig } from './config.js';
import { parseMailFrom, parseSmtpUrl } from './operator-settings/smtp-settings.js';
import { parseSmsUrl } from './operator-settings/sms-settings.js';
import { problemsOf } from './testing/settings.js';

const accountSid = `AC${'0123456789abcdef'.repeat(2)}`;

describe('The settings of notify', () => {
  it('may be absent, but for its origin, its servers and its keys', () => {
    expect(problemsOf({})).toEqual([]);
  });

  it.each([
    ['SMTP_URL', 'hunter2'],
    ['SMTP_URL', 'http://mail.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://u:hunter2@mail.example.com?tls.rejectUnauthorized=false'],
    ['SMTP_URL', 'smtp://u:hunter2@mail.example.com/path'],
    ['SMTP_URL', 'smtp://u:hunter2%@mail.example.com'],
    ['MAIL_FROM', 'hunter2'],
    ['MAIL_FROM', 'hunter2 <a@example.com>\r\nBcc: b@example.com'],
    ['MAIL_FROM', 'hunter2 <a@example.com>, <b@example.com>'],
    ['MAIL_FROM', 'hunter2\u202e <a@example.com>'],
    ['SIGN_IN_URL', 'javascript:hunter2()'],
    ['SMS_URL', 'hunter2'],
    ['SMS_URL', `http://${accountSid}:hunter2@api.twilio.com`],
    ['SMS_URL', `ftp://${accountSid}:hunter2@127.0.0.1`],
    ['SMS_URL', 'https://me:hunter2@api.twilio.com'],
    ['SMS_URL', `https://${accountSid}@api.twilio.com`],
    ['SMS_URL', `https://${accountSid}:hunter2@api.twilio.com/v1`],
    ['SMS_URL', `https://${accountSid}:hunter2@api.twilio.com/?x`],
    ['SMS_URL', `https://${accountSid}:hunter2%@api.twilio.com`],
    ['SMS_FROM', 'hunter2'],
    ['SMS_FROM', '0151 hunter2'],
    ['SMS_FROM', 'MGhunter2'],
  ])('reject an invalid %s by name, without its value: %j', (name, value) => {
    const [problem, ...others] = problemsOf({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} must `));
    expect(problem).not.toContain('hunter2');
    expect(others).toEqual([]);
  });

  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isTlsFromStart: false }],
    ['smtps://mail.example.com/', { host: 'mail.example.com', port: 465, isTlsFromStart: true }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525, isTlsFromStart: false }],
    [
      'smtps://a%40b:p%2Fw@m.example:99',
      { host: 'm.example', port: 99, isTlsFromStart: true, login: { user: 'a@b', pass: 'p/w' } },
    ],
  ])('accept SMTP_URL %s', (url, expected) => {
    expect(parseSmtpUrl(url)).toEqual(expected);
  });

  it.each([
    [`https://${accountSid}:p%2Fw@api.twilio.com`, 'https://api.twilio.com', 'p/w'],
    [`http://${accountSid}:local@127.0.0.1:8085`, 'http://127.0.0.1:8085', 'local'],
    [`http://${accountSid}:local@[::1]:8085/`, 'http://[::1]:8085', 'local'],
  ])('accept SMS_URL %s', (url, origin, token) => {
    expect(parseSmsUrl(url)).toEqual({ origin, accountSid, token });
  });

  it('accept a number or a messaging service as SMS_FROM', () => {
    for (const SMS_FROM of ['+14155550100', `MG${'0'.repeat(32)}`])
      expect(problemsOf({ SMS_FROM })).toEqual([]);
  });

  it.each([
    ['a@example.com', { name: '', address: 'a@example.com' }],
    ['<a@example.com>', { name: '', address: 'a@example.com' }],
    ['Ünï, Inc. <a@example.com>', { name: 'Ünï, Inc.', address: 'a@example.com' }],
    ['"Ünï, Inc." <a@example.com>', { name: 'Ünï, Inc.', address: 'a@example.com' }],
  ])('accept MAIL_FROM %s', (text, expected) => {
    expect(parseMailFrom(text)).toEqual(expected);
  });
});

describe('NTF-42 NTF-44: the mails of a second', () => {
  it('are 14 unless it is set, and 10,000 at most', () => {
    expectNumberSetting(NotifyConfig, ['MAIL_RATE_PER_SECOND', 14, 1, 10_000]);
  });
});
