import type { Writable } from 'node:stream';

/** Results go to the standard output, everything else to the standard error, so that results can be piped. */
export class Output {
  constructor(
    readonly stdout: Writable,
    readonly stderr: Writable,
    readonly isJson: boolean,
  ) {}

  /** Prints the result of a command: with `--json` the object, otherwise the text. */
  result(object: unknown, text: string): void {
    const shown = this.isJson ? JSON.stringify(object) : text;
    if (shown !== '') this.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  }

  /** Prints bytes exactly, such as those of a Spark. */
  bytes(content: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) =>
      this.stdout.write(content, (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Tells the user something that is not the result. */
  note(sentence: string): void {
    if (!this.isJson) this.stderr.write(`${sentence}\n`);
  }

  /** Warns of what did not have the intended effect; with `--json` as an object, such as a failure is. */
  warn(message: string): void {
    this.stderr.write(
      this.isJson ? `${JSON.stringify({ warning: { message } })}\n` : `vaultsvc: warning: ${message}\n`,
    );
  }

  /** Tells the user what to do now, with `--json` too. */
  prompt(sentence: string): void {
    this.stderr.write(`${sentence}\n`);
  }
}
