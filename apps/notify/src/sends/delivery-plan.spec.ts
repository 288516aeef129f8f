import { describe, expect, it } from '@jest/globals';
import { planDeliveries } from './delivery-plan.js';

const short = (plan: ReturnType<typeof planDeliveries>) =>
  plan.map(({ channel, step, delaySeconds }) => `${step}:${channel}+${delaySeconds}`);

describe('the deliveries of a send', () => {
  it('NTF-14: begin at once, whatever the first delay says', () => {
    expect(short(planDeliveries(['in_app', 'email'], [30, 60], true))).toEqual(['0:in_app+0', '1:email+60']);
  });

  it('NTF-14: have channels beyond the last delay in its step, and repeat the last channel for further delays', () => {
    expect(short(planDeliveries(['in_app', 'email'], [0], true))).toEqual(['0:in_app+0', '0:email+0']);
    expect(short(planDeliveries(['email'], [0, 60, 90], true))).toEqual([
      '0:email+0',
      '1:email+60',
      '2:email+90',
    ]);
    expect(short(planDeliveries(['push', 'email'], [], true))).toEqual(['0:push+0', '0:email+0']);
  });

  it('NTF-16: use the primary channel alone without escalation', () => {
    expect(short(planDeliveries(['push', 'email'], [0, 60], false))).toEqual(['0:push+0']);
  });

  it('NTF-12: name a channel once', () => {
    expect(short(planDeliveries(['email', 'email'], [0], true))).toEqual(['0:email+0']);
  });
});
