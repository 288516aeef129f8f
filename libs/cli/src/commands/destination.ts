import type { LinkContent } from '../api/link-visitor.js';
import type { Output } from '../terminal/output.js';
import { NewFile, newFilePath } from '../transfers/new-file.js';
import { SPARK_BYTES_MAX } from './payload-input.js';

/** Where the content of a link or a Spark goes: to a new file, or to the standard output. */
export class Destination {
  #file: NewFile | undefined;

  constructor(
    private readonly output: Output,
    private readonly out: string | undefined,
    private readonly isStdout: boolean,
  ) {}

  /** The path of the file; undefined for the standard output. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  /**
   * Creates the file of content that is not opened yet, and takes the room for it.
   * @throws CliError if it could not be saved
   */
  async prepare({ type, name = 'download', size_bytes = 0 }: LinkContent): Promise<void> {
    if (this.isStdout || (type === 'content' && this.out === undefined)) return;
    if (type !== 'content' && type !== 'file') return;
    const bytesMax = type === 'file' ? size_bytes : SPARK_BYTES_MAX;
    this.#file = await NewFile.create(newFilePath(name, this.out), bytesMax);
  }

  /** Writes the whole content. Ctrl-C does not end this: content that has arrived may exist nowhere else. */
  async write(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#file) await this.#file.complete(content);
    else await this.output.stream(content);
  }

  /** Removes the file unless it is complete. */
  async discard(): Promise<void> {
    await this.#file?.discard();
  }
}
