import { useState, type ReactNode } from 'react';
import { ErrorProblem } from './error-problem.js';
import { Problem } from './states.js';

/**
 * Work that a button starts: whether it runs, and what was wrong, to show beside the button.
 * @param textOf the sentence for an error in the words of a place; else that of all places
 */
export function useWork(textOf?: (error: unknown) => string): {
  readonly isBusy: boolean;
  readonly run: (work: () => Promise<void>) => void;
  readonly problem: ReactNode;
} {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    void work()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const shown = textOf ? <Problem>{textOf(error)}</Problem> : <ErrorProblem error={error} />;
  return { isBusy, run, problem: error !== undefined && shown };
}
