import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file that was transferred: which content is where, so that a change at either end is noticed. */
export interface TransferredFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ingotId: string;
  readonly updatedAt: number;
}

/**
 * The files of a folder that were transferred completely, in a file with mode 0600, a line each: the next run passes over them
 * without reading them again. A torn last line, of a crash, is ignored.
 */
export class TransferJournal {
  private constructor(
    private readonly file: string,
    private readonly done: Map<string, TransferredFile>,
  ) {}

  /** @param key what the folders are, such as the vault and both paths */
  static async open(stateDir: string, key: readonly string[]): Promise<TransferJournal> {
    const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32);
    const file = join(stateDir, 'folders', `${name}.jsonl`);
    const lines = await readFile(file, 'utf8').catch(() => '');
    const entries = lines.split('\n').flatMap((line) => parsed(line));
    return new TransferJournal(file, new Map(entries.map((entry) => [entry.path, entry])));
  }

  /** Whether exactly this was transferred. */
  has({ path, size, mtimeMs, ingotId, updatedAt }: TransferredFile): boolean {
    const known = this.done.get(path);
    return (
      known?.size === size &&
      known.mtimeMs === mtimeMs &&
      known.ingotId === ingotId &&
      known.updatedAt === updatedAt
    );
  }

  async add(entry: TransferredFile): Promise<void> {
    this.done.set(entry.path, entry);
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    // A torn line before it would otherwise swallow this one.
    await appendFile(this.file, `\n${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
}

function parsed(line: string): TransferredFile[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as TransferredFile];
  } catch {
    return [];
  }
}
