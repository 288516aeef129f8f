import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CredentialStore } from '../../../libs/cli/src/storage/credential-store.js';

/** What may happen to a command. */
export interface CommandFaults {
  /** It gets SIGKILL after this time. */
  readonly killAfterMs?: number;
  /** No file may become larger: to a program, the disk is full. */
  readonly fileBytesMax?: number;
  /** Called when it has started, with what kills it. */
  readonly onStart?: (kill: () => void) => void;
}

/** How a command ended; without a code it was killed. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A person at a shell, with a folder, credentials for an API and an open vault called box. */
export class CliUser {
  readonly folder = mkdtempSync(join(tmpdir(), 'file-races-'));
  readonly #home = join(this.folder, 'home');

  private constructor(
    private readonly program: string,
    private readonly url: string,
  ) {}

  static async make(program: string, url: string): Promise<CliUser> {
    const user = new CliUser(program, url);
    const store = new CredentialStore(join(user.#home, '.config/vaultsvc'));
    const vat_expires_at = Math.floor(Date.now() / 1_000) + 86_400;
    await store.saveVault(url, 'vlt_1', { name: 'box', vat: 'vat_1', vat_expires_at });
    return user;
  }

  /** A new empty folder of this person. */
  newFolder(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path);
    return path;
  }

  /** Runs a command to its end. */
  run(words: readonly string[], faults: CommandFaults = {}): Promise<CommandEnd> {
    const { killAfterMs, fileBytesMax, onStart } = faults;
    const env = {
      PATH: process.env.PATH,
      HOME: this.#home,
      VAULTSVC_URL: this.url,
      VAULTSVC_API_KEY: 'vk_test',
    };
    // `ulimit -f` counts blocks of 512 bytes (POSIX).
    const limit = fileBytesMax === undefined ? '' : `ulimit -f ${Math.ceil(fileBytesMax / 512)}; `;
    const command = ['-c', `${limit}exec "$@"`, 'sh', process.execPath, this.program, ...words];
    const child = spawn('/bin/sh', command, { env, cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = () => void child.kill('SIGKILL');
    const timer = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
    onStart?.(kill);
    const stdout: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    return new Promise((resolve) =>
      child.once('close', (code) => {
        clearTimeout(timer);
        resolve({ code, stdout: Buffer.concat(stdout), stderr });
      }),
    );
  }

  /** Files that a transfer has begun in a folder, and not ended. */
  partsIn(folder: string): string[] {
    return readdirSync(folder).filter((name) => name.startsWith('.vaultsvc-'));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
