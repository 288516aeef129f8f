import type { Argued } from '../argued.ts';
import type { Report, ReportedMutant } from './stryker.ts';

/** What became of the mutants of a part. */
export interface Outcome {
  readonly killed: number;
  /** Survivors whose equivalence is argued. */
  readonly argued: number;
  /** The others, one a line. */
  readonly survivors: readonly string[];
  /** Arguments about mutants that were killed or do not exist. */
  readonly wrongArguments: readonly string[];
}

const isKilled = ({ status }: ReportedMutant) => status === 'Killed' || status === 'Timeout';
/** Mutants that did not load prove nothing. */
const isAsked = ({ status }: ReportedMutant) =>
  isKilled({ status } as ReportedMutant) || status === 'Survived' || status === 'NoCoverage';

/** @param given all arguments; those of other sources are left alone */
export function outcomeOf(report: Report, given: readonly Argued[]): Outcome {
  const mutants = Object.entries(report).flatMap(([path, { source, mutants: ofFile }]) =>
    ofFile.filter(isAsked).map((mutant) => ({ mutant, path, line: lineOf(source, mutant) })),
  );
  const survived = mutants.filter(({ mutant }) => !isKilled(mutant));
  const open = [...survived];
  const wrongArguments: string[] = [];
  for (const { path, line, replacement } of given.filter((one) => one.path in report)) {
    const index = open.findIndex(
      (one) => one.path === path && one.line === line && one.mutant.replacement === replacement,
    );
    if (index < 0) wrongArguments.push(`${path} ${line} => ${replacement}`);
    else open.splice(index, 1);
  }
  return {
    killed: mutants.length - survived.length,
    argued: survived.length - open.length,
    survivors: open.map(
      ({ path, line, mutant }) =>
        `${path}:${mutant.location.start.line} ${mutant.status} ${mutant.mutatorName}\n      ${line}\n   => ${mutant.replacement ?? ''}`,
    ),
    wrongArguments,
  };
}

function lineOf(source: string, { location }: ReportedMutant): string {
  return (source.split('\n')[location.start.line - 1] ?? '').trim();
}
