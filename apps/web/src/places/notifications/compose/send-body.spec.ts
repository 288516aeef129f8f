import { describe, expect, it } from '@jest/globals';
import { plannedSteps, sendBody } from './send-body.js';
import type { Draft } from './draft.js';

const draft: Draft = {
  recipients: [{ address: 'ann@example.com', name: 'Ann' }],
  typed: '',
  title: ' Your contract ',
  content: ' keep both spaces ',
  lifetime: '60',
  level: 'identifier',
  interaction: 'sign',
  category: '',
  isByDefault: false,
  steps: [
    { channel: 'push', after: '3600' },
    { channel: 'email', after: '300' },
    { channel: 'sms', after: '3600' },
  ],
  isPreviewed: true,
  sendId: 'web-1',
};

const config = {
  default_channels: ['in_app', 'email'],
  channel_priority: { news: ['sms'] },
  delivery: { escalation_enabled: true, escalation_delays: [0, 60] },
} as const;

describe('the request of a notification', () => {
  it('NTF-14 NTF-20: has cumulative delays, an idempotency key, and the content unchanged', () => {
    expect(sendBody(draft)).toEqual({
      recipients: ['ann@example.com'],
      content: { payload: ' keep both spaces ', content_type: 'text/plain', ttl_minutes: 60 },
      policy: { verification_level: 'identifier', interaction: 'sign' },
      title: 'Your contract',
      category: null,
      send_id: 'web-1',
      channels: ['push', 'email', 'sms'],
      escalation: { delays: [0, 300, 3900] },
    });
  });

  it('NTF-12: leaves channels to the configuration', () => {
    expect(sendBody({ ...draft, isByDefault: true })).not.toHaveProperty('channels');
  });
});

describe('the steps of a notification', () => {
  const planOf = (change: Partial<Draft>, more: object = {}) =>
    plannedSteps({ ...draft, ...change }, { ...config, ...more } as never);

  it('NTF-12: are those of its category, else the default ones', () => {
    expect(planOf({ isByDefault: true, category: 'News' })).toEqual([{ channel: 'sms', seconds: 0 }]);
    expect(planOf({ isByDefault: true })).toEqual([
      { channel: 'in_app', seconds: 0 },
      { channel: 'email', seconds: 60 },
    ]);
  });

  it('NTF-16: are the first one alone where reminders are off', () => {
    expect(planOf({}, { delivery: { escalation_enabled: false, escalation_delays: [0] } })).toEqual([
      { channel: 'push', seconds: 0 },
    ]);
  });
});
