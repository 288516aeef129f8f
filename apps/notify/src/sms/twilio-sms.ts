import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Injectable } from '@nestjs/common';
import { identityTypeOf } from '@vaultsvc/contracts';
import { NotifyConfig } from '../config.js';
import { parseSmsUrl, sender, type SmsProvider } from './sms-settings.js';
import { DeliveryFailure } from '../messages/channel.js';

/** A text message to one phone. */
export interface Sms {
  /** E.164. */
  readonly to: string;
  readonly text: string;
  /** Epoch seconds after which the provider drops a queued message; null: no limit. */
  readonly expiresAt: number | null;
}

const HANDOVER_MS = 3_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** Twilio accepts a ValidityPeriod from 1 to 36,000 s; with a few seconds only, nothing is delivered. */
const VALID_SECONDS_MIN = 10;
const VALID_SECONDS_MAX = 36_000;

/**
 * Twilio's error codes for a number or text that it will reject again. All others are retried: a rejected login, sender or
 * rate is the operator's to correct, and Twilio adds and splits codes (its changelog of 10 July 2024).
 */
const FINAL_CODES: ReadonlySet<number> = new Set([
  21211, // invalid number
  21214, // unreachable
  21265, // is a short code
  21266, // is the sender itself
  21408, // region not enabled for this account
  21602, // empty text
  21610, // opted out
  21612, // unreachable from this sender
  21614, // not a mobile number
  21617, // text too long
  21635, // a landline
]);

/**
 * Sends text messages through Twilio's Messages API or a compatible one. It uses `node:https`, not `fetch`, because only that
 * reports whether the request was sent completely before it failed. Each message has its own connection, so that none is
 * written to one that the provider has just closed.
 */
@Injectable()
export class TwilioSms {
  readonly #provider: SmsProvider | undefined;
  readonly #from: string;

  constructor({ SMS_URL, SMS_FROM }: NotifyConfig) {
    this.#from = SMS_FROM;
    if (SMS_URL.reveal() !== '') this.#provider = parseSmsUrl(SMS_URL.reveal());
  }

  /**
   * Resolves once the provider has accepted the message. Twilio has no idempotency keys: if its reply is lost, the failure has
   * `isAnswerLost`, and a retry may deliver the message twice.
   * @throws SmsFailure
   */
  async send({ to, text, expiresAt }: Sms): Promise<void> {
    if (!this.#provider || this.#from === '') throw new SmsFailure('UNCONFIGURED', false);
    if (identityTypeOf(to) !== 'phone') throw new SmsFailure('NUMBER_INVALID', true);
    const form = new URLSearchParams({ To: to, ...sender(this.#from), Body: text, ...validity(expiresAt) });
    const { status, body } = await post(this.#provider, form.toString());
    if (status < 200 || status > 299) throw refusal(status, body);
  }
}

function validity(expiresAt: number | null): { ValidityPeriod?: string } {
  if (expiresAt === null) return {};
  const secondsLeft = expiresAt - Math.floor(Date.now() / 1_000);
  const seconds = Math.min(Math.max(secondsLeft, VALID_SECONDS_MIN), VALID_SECONDS_MAX);
  return { ValidityPeriod: String(seconds) };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function post({ origin, accountSid, token }: SmsProvider, form: string): Promise<Answer> {
  const url = new URL(`/2010-04-01/Accounts/${accountSid}/Messages.json`, origin);
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    auth: `${accountSid}:${token}`,
    agent: false,
    signal: AbortSignal.timeout(HANDOVER_MS),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(form),
    },
  });
  let hasLeft = false;
  request.once('finish', () => (hasLeft = true));
  try {
    request.end(form);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await read(response) };
  } catch (error) {
    throw new SmsFailure(codeOf(error), false, hasLeft);
  }
}

/** Reads as much of the body as arrives: the status alone decides if the response breaks off. */
async function read(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const part of response) {
      text += String(part);
      if (text.length > ANSWER_BYTES_MAX) break;
    }
  } catch {
    // The response broke off; the status is known.
  }
  return text;
}

function refusal(status: number, body: string): SmsFailure {
  const [, digits] = /"code":\s*(\d{5})\b/.exec(body) ?? [];
  const code = digits === undefined ? `HTTP ${status}` : `HTTP ${status} ${digits}`;
  return new SmsFailure(code, status === 400 && FINAL_CODES.has(Number(digits)));
}

function codeOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string };
  return name === 'AbortError' ? 'TIMEOUT' : (code ?? 'UNKNOWN');
}

/** The provider did not confirm a text message. Its replies contain the number, so only their codes are kept. */
export class SmsFailure extends DeliveryFailure {
  override readonly name = 'SmsFailure';

  /**
   * @param code `HTTP 400 21211`, `ECONNREFUSED`
   * @param isAnswerLost whether the whole request was sent, so that the message may be delivered
   */
  constructor(code: string, isFinal: boolean, isAnswerLost = false) {
    super('a text message', code, isFinal, isAnswerLost);
  }
}
