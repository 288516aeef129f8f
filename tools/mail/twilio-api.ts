import { randomBytes } from 'node:crypto';
import type { MessageReceiver } from './message-store.ts';
import { segmentsOf } from './segments.ts';

/**
 * An emulator of Twilio's REST API for sending, with Basic auth and a form: `POST /2010-04-01/Accounts/<sid>/Messages.json` for
 * SMS, WhatsApp (`whatsapp:+…`) and RCS (`rcs:+…`), `…/Calls.json` for calls. Parameters are validated and errors answered as
 * by Twilio; any account and token is accepted. Twilio's documented test numbers fail alike: +15005550001 is invalid, …2
 * unreachable, …3 in a region without permission, …4 unsubscribed, …9 not a mobile number.
 */

const PHONE = /^\+[1-9]\d{6,14}$/;
const SERVICE = /^MG[0-9a-f]{32}$/;
const RCS_SENDER = /^[\w.-]{1,128}$/;
const TEMPLATE = /^HX[0-9a-f]{32}$/;
const TEXT_CHARACTERS_MAX = 1_600;
const VALID_SECONDS_MAX = 36_000;
const TWIML_CHARACTERS_MAX = 4_000;

const failingNumbers: Record<string, number> = {
  '+15005550001': 21211,
  '+15005550002': 21612,
  '+15005550003': 21408,
  '+15005550004': 21610,
  '+15005550009': 21614,
};

const errors: Record<number, { status: number; message: string }> = {
  20003: { status: 401, message: 'Authenticate' },
  12100: { status: 400, message: 'Document parse failure' },
  20404: { status: 404, message: 'The requested resource was not found' },
  21211: { status: 400, message: "Invalid 'To' Phone Number: " },
  21212: { status: 400, message: "Invalid 'From' Phone Number: " },
  21205: { status: 400, message: 'Url parameter is required.' },
  21408: { status: 400, message: 'Permission to send an SMS has not been enabled for the region of ' },
  21602: { status: 400, message: 'Message body is required.' },
  21603: { status: 400, message: "A 'From' phone number is required." },
  21604: { status: 400, message: "A 'To' phone number is required." },
  21610: { status: 400, message: 'Attempt to send to unsubscribed recipient: ' },
  21612: {
    status: 400,
    message: "Message cannot be sent with the current combination of 'To' and 'From': ",
  },
  21614: { status: 400, message: "'To' number is not a valid mobile number: " },
  21617: { status: 400, message: 'The concatenated message body exceeds the 1600 character limit' },
  21656: { status: 400, message: 'The ContentVariables parameter is invalid.' },
  21624: { status: 400, message: 'Invalid validity period value' },
};

/** Answers a request to the API. Undefined when the request is not for this API. */
export function answerTwilioApi(
  inbox: MessageReceiver,
  {
    method,
    path,
    authorization,
    body,
  }: { method: string; path: string; authorization: string; body: string },
): { status: number; value: object } | undefined {
  if (!path.startsWith('/2010-04-01/')) return undefined;
  const [, account = '', resource] =
    /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})\/(Messages|Calls)\.json$/.exec(path) ?? [];
  if (!isLogin(authorization, account)) return failure(20003);
  if (!account || method !== 'POST') return failure(20404);
  const form = Object.fromEntries(new URLSearchParams(body));
  const code = resource === 'Calls' ? callErrorOf(form) : messageErrorOf(form);
  if (code) return failure(code, form.To);
  return {
    status: 201,
    value: resource === 'Calls' ? call(inbox, form, account) : message(inbox, form, account),
  };
}

type Form = Record<string, string | undefined>;

function message(inbox: MessageReceiver, form: Form, account: string) {
  const { channel, number: to } = addressOf(form.To ?? '');
  const from = form.MessagingServiceSid ?? form.From ?? '';
  const text = form.Body ?? templateText(form);
  if (channel === 'sms') return messageOf(inbox.receiveText({ from, to, text }), account);
  const details = { ValidityPeriod: form.ValidityPeriod ?? '', ContentSid: form.ContentSid ?? '' };
  const received = inbox.receiveNotification({ channel, from, to, title: '', text, details, content: form });
  return messageOf({ ...received, to: form.To ?? '' }, account);
}

function call(
  inbox: MessageReceiver,
  { To: to = '', From: from = '', Twiml: twiml = '' }: Form,
  account: string,
) {
  const text = spokenIn(twiml);
  inbox.receiveNotification({ channel: 'voice', from, to, title: '', text, details: {}, content: twiml });
  const sid = `CA${randomBytes(16).toString('hex')}`;
  const uri = `/2010-04-01/Accounts/${account}/Calls/${sid}.json`;
  return { sid, account_sid: account, to, from, status: 'queued', direction: 'outbound-api', uri };
}

/** The channel that the prefix of an address selects. */
function addressOf(address: string): { channel: 'sms' | 'whatsapp' | 'rcs'; number: string } {
  const [, channel, number = address] = /^(whatsapp|rcs):(.*)$/.exec(address) ?? [];
  return { channel: (channel as 'whatsapp' | 'rcs' | undefined) ?? 'sms', number };
}

/** The emulator does not know the text of a template, so it shows the variables in their order. */
function templateText({ ContentVariables = '{}' }: Form) {
  return Object.values(JSON.parse(ContentVariables)).join('\n');
}

function spokenIn(twiml: string) {
  const [, words = ''] = /<Say\b[^>]*>([^<]*)<\/Say>/.exec(twiml) ?? [];
  return words.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity);
}

const characters: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** @param account in the path, which the credentials must match */
function isLogin(authorization: string, account: string) {
  const [scheme, encoded = ''] = authorization.split(' ');
  const [, user, token = ''] = /^([^:]*):(.*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return scheme === 'Basic' && token !== '' && (account === '' || user === account);
}

/** The code of the first error of a message, in the order of Twilio's checks. */
function messageErrorOf(form: Form) {
  const {
    To = '',
    From = '',
    MessagingServiceSid = '',
    Body = '',
    ContentSid = '',
    ValidityPeriod = '1',
  } = form;
  const { number } = addressOf(To);
  if (To === '') return 21604;
  if (From === '' && MessagingServiceSid === '') return 21603;
  if (Body === '' && ContentSid === '') return 21602;
  if (ContentSid !== '' && !(TEMPLATE.test(ContentSid) && isJson(form.ContentVariables ?? '{}')))
    return 21656;
  if ([...Body].length > TEXT_CHARACTERS_MAX) return 21617;
  if (!/^\d{1,5}$/.test(ValidityPeriod) || !isWithin(Number(ValidityPeriod))) return 21624;
  if (MessagingServiceSid === '' ? !isSender(From, To) : !SERVICE.test(MessagingServiceSid)) return 21212;
  return failingNumbers[number] ?? (PHONE.test(number) ? undefined : 21211);
}

/** The code of the first error of a call. */
function callErrorOf({ To = '', From = '', Twiml = '' }: Form) {
  if (To === '') return 21604;
  if (!PHONE.test(From)) return 21212;
  if (Twiml === '') return 21205;
  if (Twiml.length > TWIML_CHARACTERS_MAX || !/^<Response>.*<\/Response>$/s.test(Twiml)) return 12100;
  return failingNumbers[To] ?? (PHONE.test(To) ? undefined : 21211);
}

/** A sender has the channel of the recipient. */
function isSender(from: string, to: string) {
  const sender = addressOf(from);
  if (sender.channel !== addressOf(to).channel) return false;
  return (sender.channel === 'rcs' ? RCS_SENDER : PHONE).test(sender.number);
}

function isJson(text: string) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isWithin(seconds: number) {
  return seconds >= 1 && seconds <= VALID_SECONDS_MAX;
}

/** @param to which many of Twilio's messages repeat */
function failure(code: number, to = '') {
  const { status = 400, message = '' } = errors[code] ?? {};
  const text = message.endsWith(': ') || message.endsWith('of ') ? message + to : message;
  return {
    status,
    value: { code, message: text, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  };
}

function messageOf(
  { time, from, to, text }: { time: string; from: string; to: string; text: string },
  account: string,
) {
  const sid = `SM${randomBytes(16).toString('hex')}`;
  const date = new Date(time).toUTCString().replace('GMT', '+0000');
  const isService = SERVICE.test(from);
  return {
    account_sid: account,
    api_version: '2010-04-01',
    body: text,
    date_created: date,
    date_sent: null,
    date_updated: date,
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from: isService ? null : from,
    messaging_service_sid: isService ? from : null,
    num_media: '0',
    num_segments: String(segmentsOf(text).segments),
    price: null,
    price_unit: 'USD',
    sid,
    status: isService ? 'accepted' : 'queued',
    to,
    uri: `/2010-04-01/Accounts/${account}/Messages/${sid}.json`,
  };
}
