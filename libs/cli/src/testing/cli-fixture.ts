import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { runCli } from '../run-cli.js';
import { CredentialStore } from '../storage/credential-store.js';
import type { RawInput } from '../terminal/read-line.js';
import { FakeApi } from './fake-api.js';

/** The output of a command line and its exit code. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

/** Options of a run. */
export interface RunOptions {
  readonly input?: string | Buffer | Readable;
  /** Whether the standard output is a terminal. */
  readonly isTTY?: boolean;
  /** The width of that terminal. */
  readonly columns?: number;
  /** What the user types on the terminal; without it there is no terminal to ask on. */
  readonly typed?: string;
  /** That of the fake API by default; null: none. */
  readonly url?: string | null;
  readonly apiKey?: string;
  readonly signal?: AbortSignal;
}

/** A user of the CLI within this process: a home folder, an API key and an API that answers as a test says. */
export class CliFixture {
  private constructor(
    readonly api: FakeApi,
    readonly folder: string,
  ) {}

  static async start(): Promise<CliFixture> {
    return new CliFixture(await FakeApi.start(), mkdtempSync(join(tmpdir(), 'vaultsvc-cli-spec-')));
  }

  async stop(): Promise<void> {
    await this.api.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A path in the folder of this user. */
  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  get store(): CredentialStore {
    return new CredentialStore(this.path('config'));
  }

  /** Opens a vault named `box`, with a token that lives for an hour. */
  async openVault(vmk?: string): Promise<void> {
    const vat_expires_at = Math.floor(Date.now() / 1_000) + 3_600;
    await this.store.saveVault(this.api.url, 'vlt_1', { name: 'box', vat: 'vat_1', vat_expires_at, vmk });
  }

  async run(line: string | readonly string[], options: RunOptions = {}): Promise<Ran> {
    const {
      input = '',
      isTTY = false,
      columns,
      typed,
      url = this.api.url,
      apiKey = 'vk_test',
      signal = new AbortController().signal,
    } = options;
    const [stdout, stderr] = [new Recorder(isTTY, columns), new Recorder(false)];
    const stdin = input instanceof Readable ? input : new PassThrough().end(input);
    const code = await runCli(typeof line === 'string' ? line.split(' ') : line, {
      environment: {
        url: url ?? undefined,
        apiKey,
        configDir: this.path('config'),
        stateDir: this.path('state'),
      },
      stdin,
      stdout,
      stderr,
      signal,
      openTty: () => (typed === undefined ? undefined : typing(typed)),
    });
    return { code, stdout: stdout.bytes.toString(), bytes: stdout.bytes, stderr: stderr.bytes.toString() };
  }
}

/** A terminal on which this was typed. */
function typing(keys: string): RawInput {
  return Object.assign(Readable.from([keys], { objectMode: false }), { setRawMode: () => undefined });
}

class Recorder extends Writable {
  bytes = Buffer.alloc(0);

  constructor(
    readonly isTTY: boolean,
    readonly columns?: number,
  ) {
    super();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    done();
  }
}
