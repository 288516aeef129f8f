import { describe, expect, it } from '@jest/globals';
import { configOf, namesOf, stepsOf } from './config-steps.js';

const config = (default_channels: string[], escalation_delays: number[]) =>
  ({ default_channels, delivery: { escalation_enabled: true, escalation_delays } }) as never;

describe('NTF-14: the default steps', () => {
  it('have the wait since the step before, and are stored with cumulative delays', () => {
    const steps = [
      { channel: 'push', after: '0' },
      { channel: 'email', after: '300' },
      { channel: 'sms', after: '600' },
    ] as const;
    expect(stepsOf(config(['push', 'email', 'sms'], [0, 300, 900]))).toEqual(steps);
    expect(configOf(steps)).toEqual({
      default_channels: ['push', 'email', 'sms'],
      escalation_delays: [0, 300, 900],
    });
  });

  it('join the last step beyond its delay', () => {
    expect(stepsOf(config(['in_app', 'email'], [0]))).toEqual([
      { channel: 'in_app', after: '0' },
      { channel: 'email', after: '0' },
    ]);
  });
});

it('NTF-25: sealed categories are names with commas between them', () => {
  expect(namesOf(' legal, , HR news ')).toEqual(['legal', 'HR news']);
});
