import { UsageError } from '../failures.js';
import type { Invocation } from '../command-line/invocation.js';

/** Whether `--out -` asks for the content on the standard output. @throws UsageError if the result is there already */
export function isStdout(invocation: Invocation): boolean {
  if (invocation.option('out') !== '-') return false;
  if (invocation.context.output.isJson)
    throw new UsageError('--out - and --json both use the standard output. Give one of them.');
  return true;
}
