import { Example, exampleOf } from '../core/example.js';
import { Flag, JsonObject, Nested, Pattern, Text, TextList } from '../core/fields.js';
import { operation } from '../core/operation.js';
import type { NotifyChannel } from './channels.js';
import { Channels, Delays } from './send.js';

/** Largest `channel_priority` of an account in bytes of JSON text. */
export const CHANNEL_PRIORITY_BYTES_MAX = 8_192;

/** How deliveries proceed. */
@Example({ escalation_enabled: true, escalation_delays: [0] })
export class DeliveryConfig {
  @Flag({ optional: true, description: 'false: only the first channel of a send is used.' })
  escalation_enabled = true;
  @Delays({ optional: true, description: 'Steps of sends without `escalation`.' })
  escalation_delays: number[] = [0];
}

/** The rules that no send can weaken. */
@Example({ mandatory_seal_categories: [] })
export class SecurityConfig {
  @TextList({
    maxItems: 64,
    max: 64,
    optional: true,
    description: 'Categories that are always sealed, besides secure, conversation, approval and signature.',
  })
  mandatory_seal_categories: string[] = [];
}

const TARGET = 'https URL; on the local profile also http on loopback.';

const SECRET = {
  optional: true,
  max: 128,
  says: 'whsec_ and 24 to 64 bytes in base64',
} as const;
const SECRET_FORM = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

/** The endpoint of the webhook channel. */
export class WebhookTarget {
  @Text({ min: 1, max: 2_048, description: TARGET }) url: string;
  @Pattern(SECRET_FORM, {
    ...SECRET,
    description: 'Signs the requests (Standard Webhooks). Returned only once, after it was generated.',
  })
  secret?: string;
}

/** Changes of the endpoint of the webhook channel. */
export class WebhookTargetChanges {
  @Text({ min: 1, max: 2_048, description: TARGET }) url: string;
  @Pattern(SECRET_FORM, {
    ...SECRET,
    nullable: true,
    description:
      'Signs the requests (Standard Webhooks). Absent: unchanged, at first generated. null: a new one is generated. For 24 hours after a change, requests have a signature of the former secret, too.',
  })
  secret?: string | null;
}

/** An incoming webhook of a chat. The URL is a secret and is returned without its path. */
export class ChatTarget {
  @Text({ min: 1, max: 2_048, description: TARGET }) url: string;
}

/** Targets of channels that belong to the account rather than to a recipient. null: none. */
@Example({ webhook: null, slack: null, teams: null })
export class ChannelTargets {
  @Nested(() => WebhookTarget, { optional: true, nullable: true }) webhook?: WebhookTarget | null;
  @Nested(() => ChatTarget, { optional: true, nullable: true }) slack?: ChatTarget | null;
  @Nested(() => ChatTarget, { optional: true, nullable: true }) teams?: ChatTarget | null;
}

/** Changes of targets. null: removed. Absent: unchanged. */
@Example({ webhook: null, slack: null, teams: null })
export class ChannelTargetChanges {
  @Nested(() => WebhookTargetChanges, { optional: true, nullable: true })
  webhook?: WebhookTargetChanges | null;
  @Nested(() => ChatTarget, { optional: true, nullable: true }) slack?: ChatTarget | null;
  @Nested(() => ChatTarget, { optional: true, nullable: true }) teams?: ChatTarget | null;
}

/** The configuration of an account (OPEN-34). */
@Example({ default_channels: ['in_app', 'email'] })
export class NotifyConfiguration {
  @Channels({ optional: true, description: 'For sends without channels whose category has no priority.' })
  default_channels: NotifyChannel[] = ['in_app', 'email'];
  @JsonObject({
    bytesMax: CHANNEL_PRIORITY_BYTES_MAX,
    depthMax: 2,
    optional: true,
    description: 'Lists of channels by category, in lower case.',
  })
  channel_priority: Record<string, NotifyChannel[]> = {};
  @Nested(() => DeliveryConfig, { optional: true }) delivery: DeliveryConfig = new DeliveryConfig();
  @Nested(() => SecurityConfig, { optional: true }) security: SecurityConfig = new SecurityConfig();
  @Nested(() => ChannelTargets, { optional: true }) targets?: ChannelTargets;
}

/** Changes of how deliveries proceed. */
export class DeliveryChanges {
  @Flag({ optional: true, description: 'false: only the first channel of a send is used.' })
  escalation_enabled?: boolean;
  @Delays({ optional: true, description: 'Steps of sends without `escalation`.' })
  escalation_delays?: number[];
}

/** Changes of the rules that no send can weaken. */
export class SecurityChanges {
  @TextList({
    maxItems: 64,
    max: 64,
    optional: true,
    description: 'Categories that are always sealed, besides secure, conversation, approval and signature.',
  })
  mandatory_seal_categories?: string[];
}

/**
 * Body of `putConfig` (OPEN-34): what is absent stays as it is, also within `delivery`, `security` and `targets`; lists are
 * replaced.
 */
@Example({ default_channels: ['in_app', 'email'] })
export class NotifyConfigurationChanges {
  @Channels({ optional: true, description: 'For sends without channels whose category has no priority.' })
  default_channels?: NotifyChannel[];
  @JsonObject({
    bytesMax: CHANNEL_PRIORITY_BYTES_MAX,
    depthMax: 2,
    optional: true,
    description:
      'Lists of channels by category, merged by category. null: removes that of the category. Case of categories does not matter.',
  })
  channel_priority?: Record<string, NotifyChannel[] | null>;
  @Nested(() => DeliveryChanges, { optional: true }) delivery?: DeliveryChanges;
  @Nested(() => SecurityChanges, { optional: true }) security?: SecurityChanges;
  @Nested(() => ChannelTargetChanges, { optional: true }) targets?: ChannelTargetChanges;
}

/** The configuration as it is read: secrets are omitted, or shown once after they were generated. */
@Example({
  default_channels: ['in_app', 'email'],
  channel_priority: {},
  delivery: exampleOf(DeliveryConfig),
  security: exampleOf(SecurityConfig),
  targets: exampleOf(ChannelTargets),
  configured_channels: ['in_app', 'websocket', 'email'],
})
export class NotifyConfigurationState extends NotifyConfiguration {
  @TextList({ maxItems: 12, max: 16, description: 'Channels that have credentials and can deliver.' })
  configured_channels: string[];
}

/** Reads the configuration (NTF-42). */
export const readConfig = operation({
  name: 'notify.read-config',
  summary: 'Reads the configuration of notifications.',
  http: { method: 'GET', path: '/v1/products/notify/config', status: 200 },
  access: { credential: 'key' },
  reply: NotifyConfigurationState,
  repeatable: true,
});

/**
 * Merges changes into the configuration, as `updateSettings` does; concurrent changes of different members all stand. Needs the
 * admin or owner role.
 */
export const putConfig = operation({
  name: 'notify.put-config',
  summary: 'Merges the given changes into the configuration of notifications; what is absent stays.',
  http: { method: 'PUT', path: '/v1/products/notify/config', status: 200 },
  access: { credential: 'key', role: 'admin' },
  body: NotifyConfigurationChanges,
  reply: NotifyConfigurationState,
});
