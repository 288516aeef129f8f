import { EpochSeconds, Int, ListOf, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { DIRECTORY_ID_MAX } from './recipient.js';

/** `android` and `fcm`: a registration token of FCM. `ios`: a device token of APNs. `web`: a push subscription (RFC 8030). */
export const pushPlatforms = ['ios', 'android', 'fcm', 'web'] as const;
export type PushPlatform = (typeof pushPlatforms)[number];

/** Body of `registerPushToken`. */
export class NewPushToken {
  @OneOf(pushPlatforms) platform: PushPlatform;
  @Text({
    min: 8,
    max: 4_096,
    description: 'The token; for web the JSON of the PushSubscription with endpoint and keys.',
  })
  token: string;
  @Name({ max: DIRECTORY_ID_MAX, description: 'The recipient whose device this is, as sends name it.' })
  recipient_id: string;
}

/** A registered device. The token is not returned. */
export class PushToken {
  @Text({ max: 64 }) push_token_id: string;
  @OneOf(pushPlatforms) platform: PushPlatform;
  @Text({ max: DIRECTORY_ID_MAX }) recipient_id: string;
  @Text({ max: 8, description: 'The last characters of the token.' }) token_ending: string;
  @EpochSeconds() created_at: number;
}

/** Registers a device. The same token again replaces its recipient. */
export const registerPushToken = operation({
  name: 'notify.register-push-token',
  summary: 'Registers a device of a recipient for push notifications.',
  http: { method: 'POST', path: '/v1/push-tokens', status: 201 },
  idempotent: { id: 'push_token_id' },
  access: { credential: 'key' },
  body: NewPushToken,
  reply: PushToken,
});

/** Query of `listPushTokens`. */
export class PushTokenQuery {
  @Name({ max: DIRECTORY_ID_MAX, optional: true, description: 'Only devices of this recipient.' })
  recipient_id?: string;
}

/** The devices of the account, newest first, 1,000 at most. */
export class PushTokenList {
  @ListOf(() => PushToken) push_tokens: PushToken[];
  @Int({ min: 0 }) count: number;
}

/** Lists devices. */
export const listPushTokens = operation({
  name: 'notify.list-push-tokens',
  summary: 'Lists the registered devices.',
  http: { method: 'GET', path: '/v1/push-tokens', status: 200 },
  access: { credential: 'key' },
  query: PushTokenQuery,
  reply: PushTokenList,
  repeatable: true,
});

/** Path parameter of a device. */
export class PushTokenParams {
  @Text({ max: 64 }) push_token_id: string;
}

/** Deletes a device. Unknown and foreign ids are 404. */
export const deletePushToken = operation({
  name: 'notify.delete-push-token',
  summary: 'Deletes a registered device.',
  http: { method: 'DELETE', path: '/v1/push-tokens/{push_token_id}', status: 204 },
  access: { credential: 'key' },
  params: PushTokenParams,
  unknown: 'PUSH_TOKEN_NOT_FOUND',
  errors: ['PUSH_TOKEN_NOT_FOUND'],
});
