import type { HeadLeaf } from '../chain/head-leaf.js';
import { EntryVerifier } from './entry-verifier.js';
import type { ExportHeader } from './export-lines.js';
import { MalformedLine, parseLine, type ExportLine } from './parse-line.js';
import { ExportProblem } from './problem.js';
import { verifyLog, type Preamble, type VerificationOptions, type VerifiedLog } from './verify-log.js';

/** What was verified in an export without a problem. */
export interface ExportReport {
  readonly header: ExportHeader;
  readonly entries: number;
  readonly erased: number;
  /** The heads in the export, all of them in the log. */
  readonly heads: number;
  /** The last head that is equal to an entry: the log commits to all entries up to it. Undefined without heads. */
  readonly lastHead: HeadLeaf | undefined;
  /** The longest time between an entry and the end of the hour whose head was the first to commit to it. */
  readonly longestDelayMs: number;
  readonly log: VerifiedLog;
}

/**
 * Verifies the lines of an export, offline and in one pass. Its memory does not grow with the entries; with tiles it keeps
 * the heads of the account, at most one for each hour.
 * @throws ExportProblem for the first problem; and what reading the lines and the tiles throws
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  options: VerificationOptions = {},
): Promise<ExportReport> {
  const parsed = parsedLines(lines);
  try {
    const { preamble, next } = await readPreamble(parsed);
    const log = await verifyLog(preamble, options);
    const verifier = new EntryVerifier(preamble.header, log);
    for (let line = next; line; line = (await parsed.next()).value ?? undefined) addLine(verifier, line);
    return { header: preamble.header, ...verifier.end(), log };
  } finally {
    await parsed.return(); // Closes the lines after a problem.
  }
}

function addLine(verifier: EntryVerifier, line: ExportLine): void {
  if (line.kind === 'entry') verifier.addEntry(line.entry);
  else if (line.kind === 'head') verifier.addHead(line.head);
  else throw malformed(`the ${line.kind} line is not in its place`);
}

/** Reads up to the first entry or head, which it returns, too. */
async function readPreamble(
  lines: AsyncGenerator<ExportLine, void, void>,
): Promise<{ preamble: Preamble; next: ExportLine | undefined }> {
  let line = (await lines.next()).value ?? undefined;
  if (line?.kind !== 'header') throw malformed('the first line is not the header of an export');
  const { header } = line;
  let note: string | undefined;
  let consistency: Preamble['consistency'];
  line = (await lines.next()).value ?? undefined;
  if (line?.kind === 'checkpoint') {
    ({ note } = line);
    line = (await lines.next()).value ?? undefined;
  }
  if (line?.kind === 'consistency') {
    ({ consistency } = line);
    line = (await lines.next()).value ?? undefined;
  }
  return { preamble: { header, note, consistency }, next: line };
}

async function* parsedLines(lines: AsyncIterable<string>): AsyncGenerator<ExportLine, void, void> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    try {
      yield parseLine(line);
    } catch (error) {
      throw error instanceof MalformedLine ? malformed(`line ${number}: ${error.message}`) : error;
    }
  }
}

function malformed(message: string): ExportProblem {
  return new ExportProblem('malformed', message);
}
