import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { commandsFor, runSteps, stepNames } from './steps.ts';

/** Runs the steps and notes when each starts and ends; the tests end after the last check, `docs`. */
async function logOf(names: readonly string[], failed: readonly string[] = []) {
  const log: string[] = [];
  let endChecks = () => {};
  const checksEnd = new Promise<void>((resolve) => (endChecks = resolve));
  const totals = await runSteps(names, async (name) => {
    log.push(`${name} starts`);
    await (name === 'tests' ? checksEnd : nextTurn());
    log.push(`${name} ends`);
    if (name === 'docs') endChecks();
    return failed.includes(name) ? { passed: 0, failed: 1 } : { passed: 1, failed: 0 };
  });
  return { log, totals };
}

describe('The steps of a run', () => {
  it('build first, then check one after another beside the tests', async () => {
    const { log } = await logOf(stepNames);
    expect(log).toEqual([
      ...['build starts', 'build ends', 'tests starts'],
      ...['lint', 'format', 'types', 'docs'].flatMap((name) => [`${name} starts`, `${name} ends`]),
      'tests ends',
    ]);
  });

  it('run all that is asked for, and nothing else', async () => {
    expect((await logOf(['types', 'lint'])).log).toEqual([
      'lint starts',
      'lint ends',
      'types starts',
      'types ends',
    ]);
  });

  it('all count, whichever fails', async () => {
    expect((await logOf(stepNames)).totals).toEqual({ passed: 6, failed: 0 });
    expect((await logOf(stepNames, ['build', 'docs', 'tests'])).totals).toEqual({ passed: 3, failed: 3 });
  });

  it('have a command each, but for the tests', () => {
    expect(Object.keys(commandsFor([])).sort()).toEqual(stepNames.filter((name) => name !== 'tests').sort());
  });
});
