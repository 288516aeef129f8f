import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { runCli } from '../../../libs/cli/src/run-cli.js';

/** How a command ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The command line with a home of its own, in this process: thousands of processes would take hours. */
export class InProcessCli {
  readonly #folder = mkdtempSync(join(tmpdir(), 'byte-strings-'));

  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {}

  async run(words: readonly string[], input: Buffer = Buffer.alloc(0)): Promise<Ran> {
    const [stdout, stderr] = [new Recorder(), new Recorder()];
    const { url, apiKey } = this;
    const environment = {
      url,
      apiKey,
      configDir: join(this.#folder, 'config'),
      stateDir: join(this.#folder, 'state'),
    };
    const stdin = new PassThrough().end(input);
    const { signal } = new AbortController();
    const code = await runCli(words, { environment, stdin, stdout, stderr, signal });
    return { code, stdout: stdout.bytes, stderr: stderr.bytes.toString() };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

class Recorder extends Writable {
  bytes = Buffer.alloc(0);

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    done();
  }
}
