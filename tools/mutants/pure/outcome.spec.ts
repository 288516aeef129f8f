import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from './outcome.ts';
import type { Report, ReportedMutant } from './stryker.ts';

const PATH = 'libs/example.ts';
const mutant = (status: ReportedMutant['status'], line: number, replacement: string): ReportedMutant => ({
  status,
  replacement,
  mutatorName: 'EqualityOperator',
  location: { start: { line, column: 1 }, end: { line, column: 9 } },
});
const report = (...mutants: ReportedMutant[]): Report => ({
  [PATH]: { source: 'const a = 1;\n  if (a > b) return;\n', mutants },
});
const argument = { path: PATH, line: 'if (a > b) return;', replacement: 'a >= b', reason: 'a is never b' };

describe('The outcome of a part', () => {
  it('counts what a test noticed or what hung as killed, and what did not load not at all', () => {
    const outcome = outcomeOf(
      report(mutant('Killed', 1, '0'), mutant('Timeout', 1, '2'), mutant('RuntimeError', 1, '3')),
      [],
    );
    expect(outcome).toEqual({ killed: 2, argued: 0, survivors: [], wrongArguments: [] });
  });

  it('names survivors, those that no test reaches among them', () => {
    const { killed, survivors } = outcomeOf(
      report(mutant('Survived', 2, 'a >= b'), mutant('NoCoverage', 1, '{}')),
      [],
    );
    expect(killed).toBe(0);
    expect(survivors.map((line) => line.split('\n')[0])).toEqual([
      'libs/example.ts:2 Survived EqualityOperator',
      'libs/example.ts:1 NoCoverage EqualityOperator',
    ]);
  });

  it('leaves out a survivor that is argued, once for each argument', () => {
    const survivor = mutant('Survived', 2, 'a >= b');
    expect(outcomeOf(report(survivor, survivor), [argument])).toMatchObject({
      argued: 1,
      survivors: [expect.any(String)],
    });
    expect(outcomeOf(report(survivor, survivor), [argument, argument])).toMatchObject({
      argued: 2,
      survivors: [],
    });
  });

  it('names an argument about a mutant that is killed or that is none, unless its source was not tried', () => {
    const wrong = [`${PATH} if (a > b) return; => a >= b`];
    expect(outcomeOf(report(mutant('Killed', 2, 'a >= b')), [argument]).wrongArguments).toEqual(wrong);
    expect(outcomeOf(report(), [argument]).wrongArguments).toEqual(wrong);
    expect(outcomeOf(report(), [{ ...argument, path: 'libs/other.ts' }]).wrongArguments).toEqual([]);
  });
});
