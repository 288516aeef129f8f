import { describe, expect, it } from '@jest/globals';
import { UnitLimit } from './unit-limit.js';

/** Work that runs until it is told to end. */
class Held {
  end = () => {};
  readonly started: Promise<void>;
  readonly work: () => Promise<void>;

  constructor() {
    let start = () => {};
    this.started = new Promise((resolve) => (start = resolve));
    const ended = new Promise<void>((resolve) => (this.end = resolve));
    this.work = () => {
      start();
      return ended;
    };
  }
}

const soon = () => Date.now() + 60_000;

describe('OPEN-67: units of work at once', () => {
  it('are at most half of the connections, and a third for one account; the rest waits in its order', async () => {
    const limit = new UnitLimit(6);
    const order: string[] = [];
    const held = Array.from({ length: 3 }, () => new Held());
    const running = ['a', 'a', 'b'].map((account, index) => limit.run(account, soon(), held[index]!.work));
    await Promise.all(held.map(({ started }) => started));
    const later = ['a', 'b', 'c'].map((account) =>
      limit.run(account, soon(), async () => void order.push(account)),
    );
    expect(order).toEqual([]);
    held[2]!.end();
    await running[2];
    // Two of a still run, so that b and c pass it.
    await later[1];
    await later[2];
    expect(order).toEqual(['b', 'c']);
    held[0]!.end();
    await Promise.all([running[0], later[0]]);
    expect(order).toEqual(['b', 'c', 'a']);
    held[1]!.end();
    await running[1];
  });

  it('ENV-44: are refused as busy after half of the time to their deadline', async () => {
    const limit = new UnitLimit(2);
    const held = new Held();
    const running = limit.run('a', soon(), held.work);
    await held.started;
    await expect(limit.run('b', Date.now() + 20, async () => {})).rejects.toMatchObject({ reason: 'BUSY' });
    held.end();
    await running;
    await limit.run('b', soon(), async () => {});
  });

  it('leave their place when they fail', async () => {
    const limit = new UnitLimit(2);
    await expect(limit.run('a', soon(), () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    await limit.run('a', soon(), async () => {});
  });
});
