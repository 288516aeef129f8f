import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { Problem } from '../../../ui/states.js';

/** Runs the work of a button, and says what went wrong. */
export function useWork() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setError(undefined);
    work()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return { isBusy, run, problem: error !== undefined && <Problem>{errorText(error)}</Problem> };
}
