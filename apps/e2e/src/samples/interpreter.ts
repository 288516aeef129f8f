import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Ends each answer; no sample prints it. */
export const END_OF_ANSWER = '<end of the answer>';

/** A running interpreter that reads programs from its input, one after the other. */
export class Interpreter {
  readonly #process: ChildProcessWithoutNullStreams;
  #lines: string[] = [];
  #answer: ((text: string) => void) | undefined;

  constructor(command: string, args: readonly string[]) {
    this.#process = spawn(command, args);
    createInterface(this.#process.stdout).on('line', (line) => this.#read(line));
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => this.#lines.push(text));
  }

  /** The output of the interpreter for this input, which makes it print END_OF_ANSWER last. */
  ask(input: string): Promise<string> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#process.stdin.write(input);
    });
  }

  stop(): void {
    this.#process.kill();
  }

  #read(line: string): void {
    if (line !== END_OF_ANSWER) return void this.#lines.push(line);
    const text = this.#lines.join('\n');
    this.#lines = [];
    this.#answer?.(text);
  }
}
