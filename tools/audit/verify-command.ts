import { access, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { UsageError } from '@vaultsvc/config/commands';
import { failure, linesOf, success, tilesIn } from '@vaultsvc/cli/audit';
import { ExportProblem, InvalidNote, VerifierKey, verifyExport } from '@vaultsvc/transparency';

/** `npm run audit -- verify`. Returns 0 for an intact export and 1 for any other. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      key: { type: 'string', multiple: true },
      checkpoint: { type: 'string' },
      tiles: { type: 'string' },
    },
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError('verify needs one export.');
  const { key, checkpoint, tiles } = values;
  if (tiles !== undefined) await access(tiles);
  const options = {
    keys: key && parseKeys(key),
    pinned: checkpoint === undefined ? undefined : await readFile(checkpoint, 'utf8'),
    read: tiles === undefined ? undefined : tilesIn(tiles),
  };
  try {
    const report = await verifyExport(linesOf(path), options);
    process.stdout.write(success(report, options));
    return 0;
  } catch (error) {
    if (!(error instanceof ExportProblem)) throw error;
    process.stdout.write(failure(error));
    return 1;
  }
}

/** @throws UsageError */
export function parseKeys(texts: readonly string[]): VerifierKey[] {
  try {
    return texts.map((text) => VerifierKey.parse(text.trim()));
  } catch (error) {
    if (!(error instanceof InvalidNote)) throw error;
    throw new UsageError(`--key: ${error.message}.`);
  }
}
