import type { NotifyConfig } from '../../config.js';
import { CachedToken } from '../cached-token.js';
import { issueAccessToken } from './fcm-access-token.js';
import { unconfigured, type ProviderFailure } from '../../outbound/provider-failure.js';
import { isSuccess, postToProvider, refusal, type ProviderReply } from '../../outbound/provider-http.js';
import type { OutgoingNotification } from '../provider.js';
import { pushContent, secondsLeft } from './push-content.js';
import { parseFcmCredentials } from '../../operator-settings/fcm-credentials.js';

/** FCM's codes (`google.firebase.fcm.v1.ErrorCode`) of a message that it would reject again. */
const FINAL_CODES: readonly string[] = ['UNREGISTERED', 'SENDER_ID_MISMATCH', 'INVALID_ARGUMENT'];
const CODE =
  /"errorCode":\s*"(UNREGISTERED|SENDER_ID_MISMATCH|INVALID_ARGUMENT|QUOTA_EXCEEDED|UNAVAILABLE|INTERNAL|THIRD_PARTY_AUTH_ERROR)"/;

/** The project that messages are sent to, and the token that allows it. */
interface Project {
  readonly sendUrl: URL;
  readonly token: CachedToken;
}

/**
 * Sends messages by FCM HTTP v1. FCM has no idempotency keys, but a device shows only the last notification with one tag, so
 * that a message that was sent twice is shown once.
 */
export class FcmClient {
  readonly #project: Project | undefined;

  constructor({ FCM_CREDENTIALS, FCM_URL }: Pick<NotifyConfig, 'FCM_CREDENTIALS' | 'FCM_URL'>) {
    if (FCM_CREDENTIALS.reveal() === '') return;
    const account = parseFcmCredentials(FCM_CREDENTIALS.reveal());
    const sendUrl = new URL(`/v1/projects/${account.projectId}/messages:send`, FCM_URL);
    this.#project = { sendUrl, token: new CachedToken(() => issueAccessToken(account)) };
  }

  /**
   * Resolves to the name of the message, `projects/…/messages/…`.
   * @param registration the token by which FCM knows the app on a device
   * @throws ProviderFailure
   */
  async send(registration: string, notification: OutgoingNotification): Promise<string | null> {
    if (!this.#project) throw unconfigured();
    const token = await this.#project.token.get();
    const reply = await postToProvider({
      url: this.#project.sendUrl,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: messageTo(registration, notification) }),
    });
    if (isSuccess(reply)) return /"name":\s*"(projects\/[^"]{1,200})"/.exec(reply.body)?.[1] ?? null;
    if (reply.status === 401) await this.#project.token.refuse(token);
    throw refused(reply);
  }
}

function messageTo(registration: string, notification: OutgoingNotification) {
  const { title, body, data } = pushContent(notification);
  return {
    token: registration,
    notification: { title, body },
    data,
    android: {
      priority: 'HIGH', // a person waits for it
      ttl: `${secondsLeft(notification)}s`,
      notification: { tag: notification.deliveryId },
    },
  };
}

/** The status of a reply may be the reason of a proxy; only FCM's own code ends a message or forgets a device. */
function refused(reply: ProviderReply): ProviderFailure {
  const [, code] = CODE.exec(reply.body) ?? [];
  const isFinal = code !== undefined && FINAL_CODES.includes(code);
  return refusal(reply, { isFinal, isAddressGone: code === 'UNREGISTERED' }, code);
}
