// How many events reporting has applied.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const POLL_MS = 250;
const LIMIT_MS = 600_000;

export interface Progress {
  applied: () => Promise<number>;
  /** Waits until at most so many events are left, and passes each count to the callback. */
  left: (most: number, onPoll?: (applied: number) => void) => Promise<void>;
  /** Waits until sparks has sent its events. */
  allSent: () => Promise<void>;
  close: () => Promise<void>;
}

/** @param caused counts the events that the benchmark has caused */
export async function openProgress(stack: { postgres_url: string }, caused: () => number): Promise<Progress> {
  const database = new pg.Client({ connectionString: stack.postgres_url });
  await database.connect();
  // The number of the last entry in each account's chain: reading that costs the server nothing, unlike counting.
  const entries = async () => Number((await database.query<{ entries: string }>(ENTRIES)).rows[0]?.entries);
  const before = await entries();
  const applied = async () => (await entries()) - before;
  return {
    applied,
    left: async (most, onPoll = () => {}) => {
      const until = performance.now() + LIMIT_MS;
      for (;;) {
        const done = await applied();
        onPoll(done);
        if (caused() - done <= most) return;
        if (performance.now() > until) throw new Error(`${caused() - done} events are not applied`);
        await delay(POLL_MS);
      }
    },
    allSent: async () => {
      while ((await database.query<{ unsent: boolean }>(UNSENT)).rows[0]?.unsent) await delay(POLL_MS);
    },
    close: () => database.end(),
  };
}

const ENTRIES = `SELECT coalesce(sum(seq), 0) AS entries FROM reporting.audit_heads`;

const UNSENT = `SELECT EXISTS (SELECT FROM sparks.outbox) AS unsent`;
