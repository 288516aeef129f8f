import { delaysOf, type Channel, type Step } from '../shared/step.js';
import type { Config } from './use-config-change.js';

/** The default channels with their waits; those beyond the last delay join its step. */
export function stepsOf({ default_channels: channels = [], delivery }: Config): readonly Step[] {
  const delays = delivery?.escalation_delays ?? [];
  const at = (index: number) => (index === 0 ? 0 : (delays[Math.min(index, delays.length - 1)] ?? 0));
  return channels.map((channel, index) => ({
    channel: channel as Channel,
    after: String(index === 0 ? 0 : at(index) - at(index - 1)),
  }));
}

/** Steps as the configuration has them. */
export function configOf(steps: readonly Step[]) {
  return { default_channels: steps.map(({ channel }) => channel), escalation_delays: delaysOf(steps) };
}

/** The names of a text with commas between them. */
export const namesOf = (text: string): string[] =>
  text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
