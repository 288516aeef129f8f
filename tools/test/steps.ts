import { runChild } from './children.ts';
import { seconds } from './times.ts';

export const stepNames = ['build', 'lint', 'format', 'types', 'docs', 'tests'] as const;

export type Totals = { passed: number; failed: number };

/** @returns the command of each step but the tests */
export function commandsFor(paths: string[]): Record<string, string[]> {
  const where = paths.length > 0 ? paths : ['.'];
  return {
    build: ['tools/build/run.ts'],
    lint: ['oxlint', '--no-error-on-unmatched-pattern', ...where],
    format: ['oxfmt', '--check', '--no-error-on-unmatched-pattern', ...where],
    types: ['tools/test/types.ts'],
    docs: ['tools/docs/generate.ts', '--check'],
  };
}

/**
 * The build first, which the end-to-end tests need; then the checks one after another, beside the tests.
 * @param names of the steps that run
 * @returns the sums of all
 */
export async function runSteps(
  names: readonly string[],
  run: (name: string) => Promise<Totals>,
): Promise<Totals> {
  const has = (name: string) => names.includes(name);
  const built = has('build') ? await run('build') : none;
  const checks = async () => {
    let totals = none;
    for (const name of ['lint', 'format', 'types', 'docs'].filter(has)) totals = add(totals, await run(name));
    return totals;
  };
  const [tested, checked] = await Promise.all([has('tests') ? run('tests') : none, checks()]);
  return add(built, add(tested, checked));
}

const none = { passed: 0, failed: 0 };

function add(a: Totals, b: Totals) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/** Tests wait for answers and hang on to deadlines; checks have all the time that tests leave. */
const nicenessOfChecks = 10;

/** A step that passes or fails as a whole; its output is shown only if it failed. */
export async function runCheck(name: string, command: string[]): Promise<Totals> {
  const niceness = name === 'build' ? 0 : nicenessOfChecks;
  const begunMs = Date.now();
  const { code, output } = await runChild(command, { isQuiet: true, niceness });
  printStep(name, code === 0, begunMs);
  if (code !== 0) process.stdout.write(`${output.trim()}\n\n`);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

export function printStep(name: string, isPassed: boolean, begunMs: number) {
  const took = seconds(Date.now() - begunMs);
  process.stdout.write(`  ${name.padEnd(8)}${isPassed ? 'passed' : 'FAILED'}  ${took}\n`);
}
