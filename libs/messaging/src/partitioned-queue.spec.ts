import { describe, expect, it } from '@jest/globals';
import { PartitionedQueue } from './partitioned-queue.js';

function queueOf(...items: readonly string[]): PartitionedQueue<string> {
  const queue = new PartitionedQueue<string>();
  for (const item of items) queue.add(item.slice(0, 1), item);
  return queue;
}

describe('PartedQueue', () => {
  it('returns each partition whole and in order, and no partition that is leased', () => {
    const queue = queueOf('a1', 'b1', 'a2');
    expect(queue.next(9)).toEqual({ partition: 'a', items: ['a1', 'a2'] });
    queue.add('a', 'a3');
    expect(queue.next(9)).toEqual({ partition: 'b', items: ['b1'] });
    expect(queue.next(9)).toBeUndefined();
    queue.release('a');
    expect(queue.next(9)).toEqual({ partition: 'a', items: ['a3'] });
  });

  it('serves other partitions before the rest of a long one', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1');
    expect(queue.next(2)).toEqual({ partition: 'a', items: ['a1', 'a2'] });
    queue.release('a');
    expect(queue.next(2)).toEqual({ partition: 'b', items: ['b1'] });
    expect(queue.next(2)).toEqual({ partition: 'a', items: ['a3'] });
  });
});
