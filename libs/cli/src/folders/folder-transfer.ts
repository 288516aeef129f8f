import { stat } from 'node:fs/promises';
import { ApiError, ConnectionError, RedirectError, type Schema, type VaultAccess } from '@vaultsvc/client';
import type { CliContext } from '../cli-context.js';
import { exitCodes } from '../exit-codes.js';
import { CliError, Interrupted } from '../failures.js';
import { describeFailure } from '../report-failure.js';
import { printable } from '../terminal/printable.js';
import { bytesText } from '../terminal/progress-bar.js';
import { contentHash } from './content-hash.js';
import type { TransferJournal } from './transfer-journal.js';

/** What became of the files of a folder. */
export class FolderTransfer {
  readonly #transferred: string[] = [];
  readonly #unchanged: string[] = [];
  readonly #failed: { readonly path: string; readonly message: string }[] = [];
  #bytes = 0;

  constructor(private readonly context: CliContext) {}

  /**
   * Transfers one file. Its failure is reported, and the others go on.
   * @param transfer resolves with the bytes of the file, or undefined if it is there already
   * @throws an error that every other file would have as well
   */
  async file(path: string, transfer: () => Promise<number | undefined>): Promise<void> {
    try {
      const bytes = await transfer();
      (bytes === undefined ? this.#unchanged : this.#transferred).push(path);
      this.#bytes += bytes ?? 0;
    } catch (error) {
      if (this.context.signal.aborted || isOfAll(error)) throw error;
      this.fail(path, describeFailure(error, this.context.signal).message);
    }
  }

  fail(path: string, message: string): void {
    this.#failed.push({ path, message });
    if (!this.context.output.isJson)
      this.context.output.stderr.write(`vaultsvc: ${printable(`${path}: ${message}`)}\n`);
  }

  /** Prints the summary, and returns the exit code. */
  finish(verb: 'Uploaded' | 'Downloaded', where: object): number {
    const [transferred, unchanged, failed] = [this.#transferred, this.#unchanged, this.#failed];
    this.context.output.result({ ...where, transferred, unchanged, failed }, '');
    const parts = [
      `${verb} ${counted(transferred.length)}, ${bytesText(this.#bytes)}`,
      ...(unchanged.length > 0 ? [`${counted(unchanged.length)} there already`] : []),
      ...(failed.length > 0 ? [`${counted(failed.length)} failed`] : []),
    ];
    this.context.output.note(`${parts.join('; ')}.`);
    return failed.length > 0 ? exitCodes.failed : exitCodes.ok;
  }

  /** Runs all transfers; what stops them all is reported after what was done. */
  async run(work: () => Promise<void>, verb: 'Uploaded' | 'Downloaded'): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.context.output.note(`${verb} ${counted(this.#transferred.length)} before it stopped.`);
      if (!this.context.signal.aborted) throw error;
      throw new Interrupted('Interrupted. Run the same command again to resume.');
    }
  }
}

/** Without a connection, a session, a plan or an open vault the next file would fail, too. */
function isOfAll(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof RedirectError) return true;
  if (error instanceof CliError) return error.exitCode === exitCodes.denied;
  return error instanceof ApiError && ([401, 402, 429].includes(error.status) || error.code === 'UNKNOWN');
}

function counted(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** An ingot as it is read alone: the hash of its content is null for versions from before there was one. */
type IngotState = Schema<'IngotMetadata'> & { readonly content_hash?: string | null };

export async function readIngotState(
  { client, vaultId: vault_id }: VaultAccess,
  ingot_id: string,
): Promise<IngotState> {
  const params = { path: { vault_id, ingot_id } };
  return (await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params })).data;
}

/** Whether a local file has the content of an ingot: by its hash, or because an earlier run has transferred it. */
export async function isSameContent(
  local: { readonly path: string; readonly absolute: string },
  ingot: IngotState,
  journal: TransferJournal,
): Promise<boolean> {
  const { size, mtimeMs } = await stat(local.absolute);
  if (size !== ingot.size_bytes || ingot.status !== 'active') return false;
  if (journal.has({ path: local.path, size, mtimeMs, ingotId: ingot.ingot_id, updatedAt: ingot.updated_at }))
    return true;
  return (
    typeof ingot.content_hash === 'string' && (await contentHash(local.absolute, size)) === ingot.content_hash
  );
}

/** Notes that a local file and an ingot have the same content. */
export async function noteTransferred(
  local: { readonly path: string; readonly absolute: string },
  ingot: IngotState,
  journal: TransferJournal,
): Promise<void> {
  const { size, mtimeMs } = await stat(local.absolute);
  await journal.add({
    path: local.path,
    size,
    mtimeMs,
    ingotId: ingot.ingot_id,
    updatedAt: ingot.updated_at,
  });
}
