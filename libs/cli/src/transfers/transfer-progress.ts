import type { TransferProgress } from '@vaultsvc/client';
import type { CliContext } from '../cli-context.js';
import { Interrupted } from '../failures.js';
import { ProgressBar } from '../terminal/progress-bar.js';

/**
 * Runs a transfer with a progress bar.
 * @param advice what the user can do after Ctrl-C
 * @throws Interrupted at Ctrl-C
 */
export async function withProgress<T>(
  { output, signal }: CliContext,
  label: string,
  advice: string,
  transfer: (onProgress: (progress: TransferProgress) => void) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(output.stderr, label);
  try {
    return await transfer(({ bytes, total }) => bar.update(bytes, total));
  } catch (error) {
    if (!signal.aborted) throw error;
    bar.end();
    throw new Interrupted(`Interrupted. ${advice}`);
  } finally {
    bar.end();
  }
}
