import type { Schema } from '@vaultsvc/client';
import { delaysOf, type Channel } from '../shared/step.js';
import type { Draft } from './draft.js';

type Config = Pick<Schema<'NotifyConfigurationState'>, 'default_channels' | 'channel_priority' | 'delivery'>;

/** A message of the plan: its channel, and the seconds after the send. */
export interface PlannedStep {
  readonly channel: Channel;
  readonly seconds: number;
}

/** The request of a draft. Channels are left out where those of the configuration apply. */
export function sendBody(draft: Draft): Schema<'NewSend'> {
  const { recipients, content, lifetime, level, interaction, title, category, steps } = draft;
  const own = { channels: steps.map(({ channel }) => channel), escalation: { delays: delaysOf(steps) } };
  return {
    recipients: recipients.map(({ address }) => address),
    content: { payload: content, content_type: 'text/plain', ttl_minutes: Number(lifetime) },
    policy: { verification_level: level, interaction },
    title: title.trim() === '' ? null : title.trim(),
    category: category.trim() === '' ? null : category.trim(),
    send_id: draft.sendId,
    ...(!draft.isByDefault && own),
  } as Schema<'NewSend'>;
}

/** The steps of the configuration: the channels of the category, else the default ones. */
export function stepsByDefault({ category }: Pick<Draft, 'category'>, config: Config): PlannedStep[] {
  const lists = (config.channel_priority ?? {}) as Readonly<Record<string, readonly Channel[]>>;
  const channels = lists[category.trim().toLowerCase()] ?? (config.default_channels as Channel[]) ?? [];
  return planned(channels, config.delivery?.escalation_delays ?? [0], config);
}

/** The steps that a draft leads to. */
export function plannedSteps(draft: Draft, config: Config): PlannedStep[] {
  if (draft.isByDefault) return stepsByDefault(draft, config);
  const channels = draft.steps.map(({ channel }) => channel);
  return planned(channels, delaysOf(draft.steps), config);
}

/** As the platform plans them (NTF-14): channels beyond the last delay join its step. Reminders by the same channel are left out. */
function planned(channels: readonly Channel[], delays: readonly number[], { delivery }: Config) {
  const distinct = [...new Set(channels)];
  const kept = delivery?.escalation_enabled === false ? distinct.slice(0, 1) : distinct;
  const ladder = [0, ...delays.slice(1)];
  return kept.map((channel, index) => ({
    channel,
    seconds: ladder[Math.min(index, ladder.length - 1)] ?? 0,
  }));
}
