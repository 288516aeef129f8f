import { SignJWT } from 'jose';
import type { NotifyConfig } from '../../config.js';
import { CachedToken, type IssuedToken } from '../cached-token.js';
import { Http2Connection, type Http2Reply } from './http2-connection.js';
import { addressInvalid, unconfigured, type ProviderFailure } from '../../outbound/provider-failure.js';
import { refusal } from '../../outbound/provider-http.js';
import type { OutgoingNotification } from '../provider.js';
import { pushContent } from './push-content.js';
import { parseApnsKey } from '../../operator-settings/apns-settings.js';

/** Apple accepts a token for 60 minutes, and a new one every 20 minutes at most. */
const TOKEN_MS = 50 * 60_000;

/** APNs' reasons of a notification that it would reject again. */
const FINAL_REASONS: readonly string[] = [
  'BadDeviceToken',
  'DeviceTokenNotForTopic',
  'ExpiredToken',
  'PayloadTooLarge',
  'Unregistered',
];
const REASON =
  /"reason":\s*"(BadDeviceToken|DeviceTokenNotForTopic|ExpiredProviderToken|ExpiredToken|InternalServerError|InvalidProviderToken|MissingProviderToken|PayloadTooLarge|ServiceUnavailable|Shutdown|TooManyProviderTokenUpdates|TooManyRequests|TopicDisallowed|Unregistered)"/;

/**
 * Sends notifications by APNs over HTTP/2, with the authentication by tokens. `apns-id` is the id of the delivery, and so is
 * the id by which a device replaces a notification that was sent twice.
 */
export class ApnsClient {
  readonly #connection: Http2Connection | undefined;
  readonly #token: CachedToken;
  readonly #topic: string;

  constructor(config: ApnsConfig) {
    this.#topic = config.APNS_TOPIC;
    this.#token = new CachedToken(() => issueToken(config));
    if (config.APNS_KEY.reveal() !== '') this.#connection = new Http2Connection(config.APNS_URL);
  }

  /**
   * Resolves to the id that APNs gave the notification: that of the delivery.
   * @param device the token of the app on a device, in hexadecimal
   * @throws ProviderFailure
   */
  async send(device: string, notification: OutgoingNotification): Promise<string | null> {
    if (!this.#connection) throw unconfigured();
    if (!/^[0-9a-fA-F]{8,400}$/.test(device)) throw addressInvalid();
    const token = await this.#token.get();
    const headers = { authorization: `bearer ${token}`, ...this.#headers(notification) };
    const reply = await this.#connection.post(`/3/device/${device}`, headers, payloadOf(notification));
    if (reply.status === 200) return String(reply.headers['apns-id'] ?? notification.deliveryId);
    const reason = REASON.exec(reply.body)?.[1];
    if (reason === 'ExpiredProviderToken') await this.#token.refuse(token);
    throw refused(reply, reason);
  }

  close(): void {
    this.#connection?.close();
  }

  #headers({ deliveryId, expiresAt }: OutgoingNotification): Record<string, string> {
    return {
      'apns-id': deliveryId,
      'apns-topic': this.#topic,
      'apns-push-type': 'alert',
      'apns-priority': '10', // at once: a person waits for it
      'apns-expiration': String(expiresAt),
      'apns-collapse-id': deliveryId,
    };
  }
}

type ApnsConfig = Pick<NotifyConfig, 'APNS_KEY' | 'APNS_KEY_ID' | 'APNS_TEAM_ID' | 'APNS_TOPIC' | 'APNS_URL'>;

async function issueToken({ APNS_KEY, APNS_KEY_ID, APNS_TEAM_ID }: ApnsConfig): Promise<IssuedToken> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: APNS_KEY_ID })
    .setIssuer(APNS_TEAM_ID)
    .setIssuedAt()
    .sign(parseApnsKey(APNS_KEY.reveal()));
  return { token, usableUntil: Date.now() + TOKEN_MS };
}

function payloadOf(notification: OutgoingNotification): string {
  const { title, body, data } = pushContent(notification);
  return JSON.stringify({ aps: { alert: { title, body }, sound: 'default' }, ...data });
}

function refused(reply: Http2Reply, reason: string | undefined): ProviderFailure {
  const isFinal = reply.status === 410 || (reason !== undefined && FINAL_REASONS.includes(reason));
  const retryAfter = reply.headers['retry-after'];
  const headers = typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {};
  const facts = { isFinal, isAddressGone: reply.status === 410 };
  return refusal({ status: reply.status, headers, body: '' }, facts, reason);
}
