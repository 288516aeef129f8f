import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Injectable } from '@nestjs/common';
import { identityTypeOf } from '@vaultsvc/contracts';
import { NotifyConfig } from '../config.js';
import { SmsFailure } from './sms-failure.js';
import { sender } from './sms-from.js';
import { parseSmsUrl, type SmsProvider } from './sms-url.js';

/** A text to one phone. */
export interface Sms {
  /** E.164. */
  readonly to: string;
  readonly text: string;
  /** Epoch seconds: what waits longer in the provider's queue is not delivered. */
  readonly goodUntil: number | null;
}

const HANDOVER_MS = 3_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** Twilio's own bounds of ValidityPeriod are 1 and 36,000; less than some seconds is never delivered. */
const VALID_SECONDS_MIN = 10;
const VALID_SECONDS_MAX = 36_000;

/**
 * Twilio's words for a number or a text that will be refused again. All else is tried again: a refused login, sender or
 * rate is ours to mend. Twilio adds codes and splits them (its changelog of 10 July 2024), so none is taken for final
 * by its absence here.
 */
const FINAL_CODES: ReadonlySet<number> = new Set([
  21211, // no valid number
  21214, // cannot be reached
  21265, // is a short code
  21266, // is the sender itself
  21408, // in a region that this account may not write to
  21602, // no text
  21610, // does not want texts from us
  21612, // cannot be reached from this sender
  21614, // no mobile number
  21617, // too long a text
  21635, // a landline
]);

/**
 * The channel of texts: Twilio's Messages API, or what speaks like it. Made of `node:https`, not of `fetch`: only here
 * it is known whether a request had left when it failed. A connection serves one text, so that none is sent into one
 * that the other side has just closed.
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
   * Resolves once the provider has taken the text upon itself. It knows no idempotency keys: where the answer is lost
   * the failure says so, and the same text may arrive again (`isAnswerLost`).
   * @throws SmsFailure
   */
  async send({ to, text, goodUntil }: Sms): Promise<void> {
    if (!this.#provider || this.#from === '') throw new SmsFailure('UNCONFIGURED', false);
    if (identityTypeOf(to) !== 'phone') throw new SmsFailure('NUMBER_INVALID', true);
    const form = new URLSearchParams({ To: to, ...sender(this.#from), Body: text, ...validity(goodUntil) });
    const { status, body } = await post(this.#provider, form.toString());
    if (status < 200 || status > 299) throw refusal(status, body);
  }
}

function validity(goodUntil: number | null): { ValidityPeriod?: string } {
  if (goodUntil === null) return {};
  const secondsLeft = goodUntil - Math.floor(Date.now() / 1_000);
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

/** An answer that breaks off has a status all the same. */
async function read(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const part of response) {
      text += String(part);
      if (text.length > ANSWER_BYTES_MAX) break;
    }
  } catch {
    // What came is what there is; the status decides.
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
