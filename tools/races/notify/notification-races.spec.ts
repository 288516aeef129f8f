import { describe, expect, it } from '@jest/globals';
import { summaryOfNotifications } from './notification-race.js';
import { runNotificationRaces } from './notification-races.js';

/** Chooses as its first victims both instances of notify, and PostgreSQL or NATS. */
const SEED = 7;
const [SENDS, RECIPIENTS, KILLS] = [4, 10, 3];

describe('NTF-15 NTF-21 NTF-43 MISC-08: notifications', () => {
  it('reach every recipient by one message for each step, while instances of notify and servers are killed', async () => {
    const report = await runNotificationRaces({
      sends: SENDS,
      recipients: RECIPIENTS,
      kills: KILLS,
      seed: SEED,
    });
    if (report.deviations.length > 0) throw new Error(summaryOfNotifications(report));
    expect(report.messages).toBe(SENDS * RECIPIENTS * 3);
    expect(Object.keys(report.kills).filter((name) => name.startsWith('notify')).length).toBeGreaterThan(0);
  }, 600_000);
});
