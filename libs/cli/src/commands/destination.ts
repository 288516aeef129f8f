import type { CliContext } from '../cli-context.js';
import { beforeOpening, NewFile, newFilePath } from '../transfers/new-file.js';
import { SPARK_BYTES_MAX } from './payload-input.js';

/** Where the content of a Spark goes: to a new file, or to the standard output. */
export class Destination {
  #file: NewFile | undefined;

  constructor(
    private readonly context: CliContext,
    readonly out: string | undefined,
    readonly isStdout: boolean,
  ) {}

  /** The path of the file; undefined for the standard output. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  /**
   * Creates the file of a Spark that is not read yet, and takes the room for it.
   * @throws FileError if it could not be saved
   */
  async prepare(): Promise<void> {
    if (this.isStdout || this.out === undefined) return;
    const { stateDir } = this.context.environment;
    const path = newFilePath('', this.out);
    this.#file = await beforeOpening(this.context, () => NewFile.create(path, SPARK_BYTES_MAX, stateDir));
  }

  /** Writes the whole content. Ctrl-C does not end this: content that has arrived may exist nowhere else. */
  async write(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#file) await this.#file.complete(content);
    else await this.context.output.stream(content);
  }

  /** Removes the file unless it is complete. */
  async discard(): Promise<void> {
    await this.#file?.discard();
  }
}
