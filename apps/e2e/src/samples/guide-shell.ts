import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export const shells = ['bash', 'zsh'] as const;
export type Shell = (typeof shells)[number];

/** The output of a shell into which commands were pasted. */
export interface Transcript {
  readonly output: string;
  /** Commands whose exit status was not 0, and the lines on stderr. */
  readonly failures: readonly string[];
}

/** Where commands run. */
export interface Workplace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Reports at descriptor 3 that `read` waits, and reads from 5: the input of the shell has the commands themselves. */
const READ = `read() { printf 'waiting\\n' >&3; builtin read "$@" <&5; }`;

/**
 * How each shell is started, and its first commands, which report failed commands at descriptor 4. zsh is interactive and gets the
 * commands as input, because that is what differs from a script: a # starts no comment there, and a ! may mean the history.
 */
const dialects = {
  bash: {
    args: ['--norc', '-s'],
    prelude: `set -o pipefail -E\ntrap 'printf "%s\\n" "$BASH_COMMAND" >&4' ERR\n${READ}`,
  },
  zsh: {
    args: ['-f', '-i', '-s', ...['promptsp', 'promptcr', 'zle', 'monitor'].flatMap((name) => ['+o', name])],
    prelude: `PS2= PS3=; setopt pipefail\ntrap 'last=$ZSH_DEBUG_CMD' DEBUG; trap 'print -r -- "$last" >&4' ZERR\n${READ}`,
  },
} as const;

/** Pastes commands into one shell. `answer` gives the input that \`read\` waits for. */
export async function pasteInto(
  name: Shell,
  commands: readonly string[],
  { cwd, env }: Workplace,
  answer: () => Promise<string>,
): Promise<Transcript> {
  const { args, prelude } = dialects[name];
  const stdio = ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'] as const;
  // No prompts on stderr.
  const shell = spawn(name, args, { cwd, env: { ...process.env, ...env, PS1: '' }, stdio: [...stdio] });
  const [input, stdout, stderr, waits, failed, answers] = shell.stdio as unknown as [
    NodeJS.WritableStream,
    Readable,
    Readable,
    Readable,
    Readable,
    NodeJS.WritableStream,
  ];
  let output = '';
  const failures: string[] = [];
  stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  linesOf(stderr, (line) => failures.push(line));
  linesOf(waits, () => void answer().then((text) => answers.write(`${text}\n`)));
  linesOf(failed, (command) => failures.push(command));
  input.end(`${[prelude, ...commands].join('\n')}\n`);
  await new Promise((resolve) => shell.once('close', resolve));
  return { output, failures };
}

/** The errors of a shell that reads commands without running them; empty if there are none. */
export async function syntaxErrors(name: Shell, commands: string): Promise<string> {
  const shell = spawn(name, ['-n'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let errors = '';
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  shell.stdin.end(commands);
  await new Promise((resolve) => shell.once('close', resolve));
  return errors;
}

function linesOf(stream: Readable, use: (line: string) => void): void {
  createInterface(stream).on('line', use);
}
