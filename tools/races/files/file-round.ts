import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeVault } from '../../../libs/client/src/testing/fake-vault.js';
import type { CliUser, CommandEnd, CommandFaults } from './cli-user.js';
import type { FileRaceReport } from './file-report.js';

/** What a round is made of. */
export interface RoundParts {
  readonly name: string;
  readonly vault: FakeVault;
  readonly user: CliUser;
  readonly random: () => number;
  readonly report: FileRaceReport;
  /** The longest time until a random kill. */
  readonly killMsMax: number;
}

/** One round of a scenario: its folder, its random choices, and what must hold in it. */
export class FileRound {
  readonly folder: string;

  constructor(private readonly parts: RoundParts) {
    this.folder = this.user.newFolder(parts.name.replaceAll(' ', '-'));
    delete this.vault.faults.onSent;
    delete this.vault.faults.onReceived;
    delete this.vault.faults.onOpened;
  }

  get vault(): FakeVault {
    return this.parts.vault;
  }

  get user(): CliUser {
    return this.parts.user;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** An integer from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.parts.random() * limit);
  }

  /** Content of a random size, about 1 to 3 MB. */
  content(bytes = 1_000_000 + this.below(2_000_000)): Buffer {
    return randomBytes(bytes);
  }

  /** One of the faults, or none: a kill at some time, or a disk that is full at some size. */
  fault(bytes: number): CommandFaults {
    const kind = this.below(3);
    if (kind === 0) return { killAfterMs: this.below(this.parts.killMsMax) };
    return kind === 1 ? { fileBytesMax: 16_384 + this.below(bytes) } : {};
  }

  /** Delays each piece of a download a little, so that a transfer takes about as long as kills may take. */
  slowDown(act: (bytes: number) => void = () => undefined): void {
    const ms = this.below(12);
    this.vault.faults.onSent = async (bytes) => {
      act(bytes);
      await new Promise((resolve) => setTimeout(resolve, ms));
      return undefined;
    };
  }

  async run(words: readonly string[], faults: CommandFaults = {}): Promise<CommandEnd> {
    const end = await this.user.run(words, faults);
    const how = end.code === null ? 'killed' : String(end.code);
    this.parts.report.ends[how] = (this.parts.report.ends[how] ?? 0) + 1;
    return end;
  }

  /** Repeats a command without faults until it succeeds, and notes a violation if it does not. */
  async succeed(words: readonly string[]): Promise<void> {
    const { code, stderr } = await this.run(words);
    if (code !== 0) this.violate(`${words[0]} ends with ${code}: ${stderr.trim()}`);
  }

  /** A file of the user, which must stay as it is. Returns the check. */
  userFile(name: string): () => void {
    const path = this.path(name);
    const content = randomBytes(40);
    writeFileSync(path, content);
    const { ino } = lstatSync(path);
    return () => {
      const isSame = existsSync(path) && lstatSync(path).ino === ino && readFileSync(path).equals(content);
      if (!isSame) this.violate(`${name}, a file of the user, was changed`);
    };
  }

  /** The file has one of these contents, whole. */
  expectContent(path: string, ...contents: readonly Buffer[]): void {
    const found = existsSync(path) ? readFileSync(path) : undefined;
    if (!found || !contents.some((content) => content.equals(found)))
      this.violate(`${path} ${found ? 'has wrong bytes' : 'is missing'}`);
  }

  expectNoParts(): void {
    const parts = this.user.partsIn(this.folder);
    if (parts.length > 0) this.violate(`${parts.join(', ')} is left`);
  }

  violate(what: string): void {
    this.parts.report.violations.push(`${this.parts.name}: ${what}`);
  }
}
