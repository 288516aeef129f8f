import type { OptionSpec } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { NewFile, newFilePath } from '../transfers/new-file.js';
import { isStdout } from './out-option.js';

/** A secret is small. */
const BYTES_MAX = 4_096;

/** The option of commands that make a secret. */
export const secretOutOption: Readonly<Record<string, OptionSpec>> = {
  out: {
    value: 'file',
    summary: 'Write it to a new file with mode 0600; - is the standard output, the default.',
    isFile: true,
  },
};

/** A new secret, and what may be shown beside it. */
export interface MadeSecret {
  readonly secret: string;
  readonly shown: object;
  /** The secret by its name in the JSON. */
  readonly named: object;
}

/** The file of `--out`, created before the secret, which cannot be shown again. Undefined for the standard output. */
export async function secretDestination(invocation: Invocation): Promise<NewFile | undefined> {
  const out = invocation.option('out');
  if (out === undefined || isStdout(invocation)) return undefined;
  return NewFile.create(newFilePath(out, out), BYTES_MAX, invocation.context.environment.stateDir);
}

/** Makes a secret and shows it: in the file, in the JSON, or as the only line of the standard output. */
export async function printOnce(
  { context: { output } }: Invocation,
  file: NewFile | undefined,
  make: () => Promise<MadeSecret>,
): Promise<void> {
  try {
    const { secret, shown, named } = await make();
    if (!file) return output.result({ ...shown, ...named }, secret);
    await file.complete([Buffer.from(`${secret}\n`)]);
    output.result({ ...shown, path: file.path }, '');
    output.note(`Written to ${file.path}.`);
  } finally {
    await file?.discard();
  }
}
