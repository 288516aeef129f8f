import type { Schema } from '@vaultsvc/client';

export type Channel = NonNullable<Schema<'NewSend'>['channels']>[number];

/** A channel, and the seconds after the step before it. */
export interface Step {
  readonly channel: Channel;
  readonly after: string;
}

/** Cumulative seconds, as the API takes them. */
export function delaysOf(steps: readonly Step[]): number[] {
  let sum = 0;
  return steps.map(({ after }, index) => (index === 0 ? 0 : (sum += Number(after))));
}
