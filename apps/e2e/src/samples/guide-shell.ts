import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The output of a bash into which commands were pasted. */
export interface Transcript {
  readonly output: string;
  /** Commands whose exit status was not 0, and the lines on stderr. */
  readonly failures: readonly string[];
}

/** Reports failed commands at descriptor 4, and prompts at 3 before they wait for input, because bash prompts terminals only. */
const PRELUDE = `
set -o pipefail -E
trap 'printf "%s\\n" "$BASH_COMMAND" >&4' ERR
read() { printf '%s\\n' "$2" >&3; builtin read -r "\${@:3}"; }
`;

/** Pastes commands into one bash. `answer` gives the input at a prompt. */
export async function pasteIntoBash(
  commands: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  answer: (prompt: string) => Promise<string>,
): Promise<Transcript> {
  const bash = spawn('bash', ['--norc', '-c', [PRELUDE, ...commands].join('\n')], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const [input, stdout, stderr, prompts, failed] = bash.stdio;
  let output = '';
  const failures: string[] = [];
  stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  linesOf(stderr, (line) => failures.push(line));
  linesOf(prompts, (prompt) => void answer(prompt).then((text) => input.write(`${text}\n`)));
  linesOf(failed, (command) => failures.push(command));
  await new Promise((resolve) => bash.once('close', resolve));
  return { output, failures };
}

function linesOf(stream: unknown, use: (line: string) => void): void {
  createInterface(stream as Readable).on('line', use);
}
