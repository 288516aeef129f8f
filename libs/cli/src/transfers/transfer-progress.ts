import type { TransferProgress } from '@vaultsvc/client';
import type { CliContext } from '../cli-context.js';
import { Interrupted } from '../failures.js';
import { ProgressBar } from '../terminal/progress-bar.js';

/** Shows how far a transfer is. */
export type ShowProgress = (progress: TransferProgress) => void;

/**
 * Runs a transfer with a progress bar, before which there may be one for the comparison with an earlier run.
 * @param transfer also reports what an earlier run transferred and is read again
 * @param advice what the user can do after Ctrl-C
 * @throws Interrupted at Ctrl-C
 */
export async function withProgress<T>(
  { output, signal }: CliContext,
  label: string,
  advice: string,
  transfer: (onProgress: ShowProgress, onCompared: ShowProgress) => Promise<T>,
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
    return await transfer(
      (progress) => update(label, progress),
      (progress) => update(`Comparing ${label}`, progress),
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    bar?.bar.end();
    throw new Interrupted(`Interrupted. ${advice}`);
  } finally {
    bar?.bar.end();
  }
}
