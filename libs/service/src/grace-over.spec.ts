import { describe, expect, it } from '@jest/globals';
import { GraceOver } from './index.js';

describe('What is done when the grace of a shutdown is over', () => {
  it('is all done, whatever fails of it, and takes a second at most', async () => {
    const graceOver = new GraceOver();
    let isDone = false;
    graceOver.add(() => Promise.reject(new Error('the database is away')));
    graceOver.add(() => new Promise(() => undefined));
    graceOver.add(async () => void (isDone = true));
    const began = performance.now();
    await graceOver.run();
    expect(isDone).toBe(true);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
