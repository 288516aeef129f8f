import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { ForcedShutdown } from './index.js';

describe('ForcedShutdown', () => {
  it('runs every step even if another fails, and ends within a second', async () => {
    const graceOver = new ForcedShutdown();
    let isDone = false;
    graceOver.add(() => Promise.reject(new Error('the database is down')));
    graceOver.add(() => new Promise(() => undefined));
    graceOver.add(async () => void (isDone = true));
    const over = graceOver.run().then(() => 'over');
    // Timers of one process go off in their order, however long it was paused.
    expect(await Promise.race([over, delay(1_500, 'late')])).toBe('over');
    expect(isDone).toBe(true);
  });
});
