import { identityTypeOf } from '@vaultsvc/contracts';
import type { NotifyConfig } from '../config.js';
import { parseSmsUrl, type TwilioAccount } from '../operator-settings/sms-settings.js';
import { ProviderFailure, unconfigured } from '../outbound/provider-failure.js';
import { isSuccess, postToProvider, refusal, type ProviderReply } from '../outbound/provider-http.js';

/** The parameters of a resource, as Twilio names them. */
export type TwilioForm = Readonly<Record<string, string>>;

const HANDOVER_MS = 3_000;
/** Twilio accepts a ValidityPeriod from 1 to 36,000 s; with a few seconds only, nothing is delivered. */
const VALID_SECONDS_MIN = 10;
const VALID_SECONDS_MAX = 36_000;

/**
 * Twilio's error codes for a number or text that it will reject again. All others are retried: a rejected login, sender or
 * rate is the operator's to correct, and Twilio adds and splits codes (its changelog of 10 July 2024).
 */
const FINAL_CODES: ReadonlySet<number> = new Set([
  13223, // a number that cannot be called
  13224, // an invalid number of a call
  13225, // a blocked number of a call
  21211, // invalid number
  21214, // unreachable
  21215, // a call to a region not enabled for this account
  21217, // not a number
  21265, // is a short code
  21266, // is the sender itself
  21408, // region not enabled for this account
  21602, // empty text
  21610, // opted out
  21612, // unreachable from this sender
  21614, // not a mobile number
  21617, // text too long
  21635, // a landline
  63003, // no such recipient in the channel
  63024, // a recipient that the channel rejects
]);

/**
 * Creates messages and calls by Twilio's REST API or a compatible one. Twilio has no idempotency keys: if its reply is lost,
 * the failure has `isAnswerLost`, and a retry may deliver the message twice.
 */
export class TwilioClient {
  readonly #account: TwilioAccount | undefined;

  constructor({ SMS_URL }: Pick<NotifyConfig, 'SMS_URL'>) {
    if (SMS_URL.reveal() !== '') this.#account = parseSmsUrl(SMS_URL.reveal());
  }

  /**
   * Resolves to the id (`SM…`) of a message that Twilio has accepted.
   * @param expiresAt epoch seconds after which Twilio drops it while it is queued; null: no limit
   * @throws ProviderFailure
   */
  createMessage(form: TwilioForm, expiresAt: number | null): Promise<string | null> {
    return this.#create('Messages', { ...form, ...validity(expiresAt) });
  }

  /**
   * Resolves to the id (`CA…`) of a call that Twilio has queued.
   * @throws ProviderFailure
   */
  createCall(form: TwilioForm): Promise<string | null> {
    return this.#create('Calls', form);
  }

  async #create(resource: 'Messages' | 'Calls', form: TwilioForm): Promise<string | null> {
    if (!this.#account) throw unconfigured();
    const { origin, accountSid, token } = this.#account;
    const reply = await postToProvider({
      url: new URL(`/2010-04-01/Accounts/${accountSid}/${resource}.json`, origin),
      headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}` },
      form,
      timeoutMs: HANDOVER_MS,
    });
    if (!isSuccess(reply)) throw refused(reply);
    return /"sid":\s*"([A-Z]{2}[0-9a-f]{32})"/.exec(reply.body)?.[1] ?? null;
  }
}

/** @throws ProviderFailure unless it is a number in E.164, which is checked because Twilio also accepts other addresses */
export function assertNumber(to: string): void {
  if (identityTypeOf(to) !== 'phone') throw new ProviderFailure('NUMBER_INVALID', { isFinal: true });
}

function validity(expiresAt: number | null): { ValidityPeriod?: string } {
  if (expiresAt === null) return {};
  const secondsLeft = expiresAt - Math.floor(Date.now() / 1_000);
  const seconds = Math.min(Math.max(secondsLeft, VALID_SECONDS_MIN), VALID_SECONDS_MAX);
  return { ValidityPeriod: String(seconds) };
}

function refused(reply: ProviderReply): ProviderFailure {
  const [, digits] = /"code":\s*(\d{5})\b/.exec(reply.body) ?? [];
  return refusal(reply, { isFinal: reply.status === 400 && FINAL_CODES.has(Number(digits)) }, digits);
}
