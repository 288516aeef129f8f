import { describe, expect, it } from '@jest/globals';
import { peopleOf } from './chat-usage.js';

const record = (slack_user_id: string, date: string, sparks_created: number, sparks_read: number) => ({
  date,
  slack_user_id,
  username: slack_user_id.toLowerCase(),
  sparks_created,
  sparks_read,
});

describe('CHT-05: the usage of the chat by person', () => {
  it('sums the days of each person, and begins with those who send most', () => {
    expect(
      peopleOf([
        record('ANA', '2026-11-25', 1, 2),
        record('BOB', '2026-11-25', 2, 0),
        record('ANA', '2026-11-26', 3, 1),
      ]),
    ).toEqual([
      { id: 'ANA', name: 'ana', created: 4, read: 3 },
      { id: 'BOB', name: 'bob', created: 2, read: 0 },
    ]);
  });
});
