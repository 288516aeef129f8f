import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** The place and the environment of an operator's commands. */
export interface Shell {
  folder: string;
  environment: Record<string, string>;
}

/** Names the command of a block that failed; the shell prints it before it expands variables. */
const named = `set -Eeuo pipefail; trap 'printf "The command that failed: %s\\n" "$BASH_COMMAND" >&2' ERR`;

/**
 * Runs commands in bash, until the first one that fails.
 * @returns their standard output
 * @throws with the command that failed and all output
 */
export async function runInShell({ folder, environment }: Shell, commands: string): Promise<string> {
  const child = spawn('bash', ['-c', `${named}\n${commands}`], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  const [code, output, errors] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`${commands}\n\nended with ${code}:\n${output}${errors}`);
  return output;
}
