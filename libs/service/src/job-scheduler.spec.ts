import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@vaultsvc/testing/waiting';
import { JobScheduler, type Job } from './job-scheduler.js';

const started: string[] = [];
let scheduler: JobScheduler;
beforeEach(() => void (started.length = 0));
afterEach(() => scheduler.stop());

/** A job of a day, which does no more than its first run in a test. */
function job(name: string, work: () => Promise<void> = () => Promise.resolve()): Job {
  const run = () => {
    started.push(name);
    return work();
  };
  return { everySeconds: 86_400, run };
}

function start(...jobs: Job[]): void {
  scheduler = new JobScheduler(jobs);
  scheduler.onApplicationBootstrap();
}

const untilStarted = (names: string[]) =>
  eventually(
    () => Promise.resolve(started),
    () => started.length === names.length,
  );

describe('the first runs of the jobs of a service', () => {
  it('follow one another, also after one that fails', async () => {
    let duringFirst: string[] = [];
    const first = job('first', async () => {
      await delay(20);
      duringFirst = [...started];
      throw new Error('broken');
    });
    start(first, job('second'));
    await untilStarted(['first', 'second']);
    expect(duringFirst).toEqual(['first']);
    expect(started).toEqual(['first', 'second']);
  });

  it('begin beside one that does not end', async () => {
    let end = () => {};
    const first = job('first', () => new Promise((resolve) => (end = resolve)));
    start(first, job('second'));
    await untilStarted(['first', 'second']);
    end();
  });

  it('do not begin once the service stops', async () => {
    start(job('first'));
    await scheduler.stop();
    await delay(20);
    expect(started).toEqual([]);
  });
});
