import { describe, expect, it } from '@jest/globals';
import { PartedQueue } from './parted-queue.js';

function queueOf(...items: readonly string[]): PartedQueue<string> {
  const queue = new PartedQueue<string>();
  for (const item of items) queue.add(item.slice(0, 1), item);
  return queue;
}

describe('PartedQueue', () => {
  it('gives each part whole and in its order, and none that somebody has', () => {
    const queue = queueOf('a1', 'b1', 'a2');
    expect(queue.take(9)).toEqual({ part: 'a', items: ['a1', 'a2'] });
    queue.add('a', 'a3');
    expect(queue.take(9)).toEqual({ part: 'b', items: ['b1'] });
    expect(queue.take(9)).toBeUndefined();
    queue.done('a');
    expect(queue.take(9)).toEqual({ part: 'a', items: ['a3'] });
  });

  it('lets others come before what is left of a long part', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1');
    expect(queue.take(2)).toEqual({ part: 'a', items: ['a1', 'a2'] });
    queue.done('a');
    expect(queue.take(2)).toEqual({ part: 'b', items: ['b1'] });
    expect(queue.take(2)).toEqual({ part: 'a', items: ['a3'] });
  });
});
