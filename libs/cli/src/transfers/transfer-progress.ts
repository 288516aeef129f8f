import type { TransferProgress } from '@vaultsvc/client';
import type { CliContext } from '../cli-context.js';
import { Interrupted } from '../failures.js';
import { ProgressBar } from '../terminal/progress-bar.js';

/** What a transfer reports. */
export interface TransferReports {
  readonly onProgress: (progress: TransferProgress) => void;
  /** What an earlier run transferred is read again. */
  readonly onCompared: (progress: TransferProgress) => void;
}

/**
 * Runs a transfer with a progress bar, before which there may be one for the comparison with an earlier run.
 * @param advice what the user can do after Ctrl-C
 * @throws Interrupted at Ctrl-C
 */
export async function withProgress<T>(
  { output, signal }: CliContext,
  label: string,
  advice: string | (() => string),
  transfer: (reports: TransferReports) => Promise<T>,
): Promise<T> {
  let bar: { readonly label: string; readonly bar: ProgressBar } | undefined;
  const update = (of: string, { bytes, total }: TransferProgress) => {
    if (bar?.label !== of) {
      bar?.bar.end();
      bar = { label: of, bar: new ProgressBar(output.stderr, of) };
    }
    bar.bar.update(bytes, total);
  };
  try {
    return await transfer({
      onProgress: (progress) => update(label, progress),
      onCompared: (progress) => update(`Comparing ${label}`, progress),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    bar?.bar.end();
    throw new Interrupted(`Interrupted. ${typeof advice === 'string' ? advice : advice()}`);
  } finally {
    bar?.bar.end();
  }
}
