import type { OptionSpec } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';

/** The option of commands that delete or revoke something. */
export const yesOption: Readonly<Record<string, OptionSpec>> = {
  yes: { summary: 'Go on without a question. Required where there is no terminal to ask on.' },
};

/** Asks before something is lost, unless `--yes` was given. @throws UsageError without a terminal */
export function confirmed(invocation: Invocation, question: string): Promise<void> {
  return invocation.context.terminal.confirm(question, invocation.has('yes'));
}
