import { access, readFile } from 'node:fs/promises';
import { ExportProblem, InvalidNote, VerifierKey, verifyExport } from '@vaultsvc/transparency';
import { failure, linesOf, splitLines, success, tilesIn } from '../audit/index.js';
import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import { exitCodes } from '../exit-codes.js';
import type { Invocation } from '../command-line/invocation.js';
import { exportStream } from './audit-export-command.js';

/** `vaultsvc audit verify` */
export const auditVerifyCommand: Command = {
  name: 'audit verify',
  summary: 'Verifies that nobody has changed the audit log of the account.',
  arguments: [
    {
      name: 'export',
      summary: 'An export, or - for the standard input. Without it, the log is exported now.',
      isOptional: true,
      isFile: true,
    },
  ],
  options: {
    key: { value: 'key', summary: 'A key of the log that you hold; may be repeated.', isRepeated: true },
    checkpoint: { value: 'file', summary: 'A checkpoint of the log that you have kept.', isFile: true },
    tiles: { value: 'folder', summary: 'A folder with the files of the log.', isFile: true },
  },
  notes: ['With a file it works offline and needs no login. The exit code is 1 if the log is not intact.'],
  examples: [
    ['The log of the account', 'vaultsvc audit verify'],
    [
      'A file, with a key and a checkpoint',
      'vaultsvc audit verify 2026-11.jsonl --key "$(cat key)" --checkpoint checkpoint',
    ],
  ],
  run: async (invocation) => {
    const { output } = invocation.context;
    const options = await verificationOptions(invocation);
    try {
      const report = await verifyExport(await linesToVerify(invocation), options);
      const { entries, erased, heads } = report;
      output.result({ is_intact: true, entries, erased, heads }, success(report, options));
      return exitCodes.ok;
    } catch (error) {
      if (!(error instanceof ExportProblem)) throw error;
      const { kind, seq, message } = error;
      output.result({ is_intact: false, kind, seq: seq ?? null, message }, failure(error));
      return exitCodes.failed;
    }
  },
};

async function linesToVerify(invocation: Invocation) {
  const path = invocation.optionalArgument('export');
  if (path === undefined) return splitLines(await exportStream(invocation.context));
  // Before the verification, which would report a missing file as a damaged one.
  if (path !== '-') await access(path);
  return linesOf(path);
}

async function verificationOptions(invocation: Invocation) {
  const [keys, checkpoint, tiles] = [
    invocation.optionList('key'),
    invocation.option('checkpoint'),
    invocation.option('tiles'),
  ];
  if (tiles !== undefined) await access(tiles);
  return {
    keys: keys.length > 0 ? parseKeys(keys) : undefined,
    pinned: checkpoint === undefined ? undefined : await readFile(checkpoint, 'utf8'),
    read: tiles === undefined ? undefined : tilesIn(tiles),
  };
}

function parseKeys(texts: readonly string[]): VerifierKey[] {
  try {
    return texts.map((text) => VerifierKey.parse(text.trim()));
  } catch (error) {
    if (error instanceof InvalidNote) throw new UsageError(`--key: ${error.message}.`);
    throw error;
  }
}
