import {
  endOfHourMs,
  type ExportProblem,
  type ExportReport,
  type LogRestore,
  type PinnedComparison,
  type ProblemKind,
  type VerificationOptions,
} from '@vaultsvc/transparency';

const meanings: Readonly<Record<ProblemKind, string>> = {
  malformed: 'The file is damaged, or is not an export of this version.',
  edited: 'This entry was changed after it was recorded.',
  removed: 'An entry was taken out after it was recorded.',
  inserted: 'An entry was added between others later.',
  reordered: 'Entries were exchanged.',
  'cut-tail': 'The last entries were taken out. A download that broke off looks the same.',
  rewritten: 'Entries were changed, and all hashes after them were computed again.',
  'second-history':
    'The operator of the log has signed two histories. Keep both checkpoints: they are the evidence.',
  'bad-signature': 'The checkpoint is not from this log, or it was changed.',
  'bad-proof': 'The log does not contain what the export says that it contains.',
  'bad-tiles': 'The folder of --tiles does not have the files of this log, or they were changed.',
};

/** The verdict on an export with a problem. */
export function failure({ kind, message, seq }: ExportProblem): string {
  const where = seq === undefined ? '' : `, first bad entry: ${seq}`;
  return `NOT INTACT: ${kind}${where}\n\n  ${sentence(message)}\n  ${meanings[kind]}\n`;
}

/** The verdict on an export without a problem: what was verified, and what was not. */
export function success(report: ExportReport, options: VerificationOptions): string {
  const facts = factsOf(report).map(([name, fact]) => `  ${name.padEnd(12)}${fact}\n`);
  const open = openQuestions(report, options).map((question) => `  - ${question}\n`);
  const rest = open.length > 0 ? `\nNot decided:\n${open.join('')}` : '';
  const scope = open.length > 0 ? 'INTACT, as far as it was verified.' : 'INTACT.';
  return `${scope}\n\n${facts.join('')}${rest}`;
}

function factsOf({ header, entries, erased, heads, lastHead, log }: ExportReport): [string, string][] {
  const { checkpoint, pinned, comparison } = log;
  const numbers = entries === 0 ? '' : ` (${header.firstSeq} to ${header.lastSeq})`;
  const erasures = erased === 0 ? '' : `; ${erased} of them are erased: hash kept, content deleted`;
  return [
    ['account', header.account],
    [
      'range',
      `${timeOf(header.fromMs, 'the beginning')} to ${timeOf(header.toMs, 'the time of the export')}`,
    ],
    ['entries', `${entries}${numbers}${erasures}`],
    ...(checkpoint
      ? [
          ['log', `${checkpoint.origin}, ${checkpoint.size} leaves, signed by ${namesOf(checkpoint)}`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(lastHead ? [['heads', headFact(heads, lastHead)] as [string, string]] : []),
    ...(pinned && comparison && comparison !== 'undecided'
      ? [
          ['pinned', `${pinned.size} leaves, the same history: ${comparisons[comparison]}`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(log.heads
      ? [
          [
            'searched',
            `the whole log, by its entries in --tiles: it has ${log.heads.size} heads of this account`,
          ] as [string, string],
        ]
      : []),
    ...(log.restores ?? []).map((restore) => ['restored', restoreFact(restore)] as [string, string]),
  ];
}

/** A restore is no fault of the log, and the reader must know what it can no longer show. */
function restoreFact({ leaf, voided }: LogRestore): string {
  const last = voided.at(-1);
  const lost = last
    ? `; ${voided.length} heads of this account up to entry ${last.seq} are void, whose entries were lost`
    : '; no head of this account was lost';
  return `the database, to its state of ${isoOf(leaf.restoredToMs)}, after ${leaf.formerSize} leaves${lost}`;
}

const comparisons: Readonly<Record<Exclude<PinnedComparison, 'undecided'>, string>> = {
  same: 'it is the checkpoint of the export',
  proof: 'shown by the consistency proof in the export',
  tiles: 'shown by --tiles',
};

function headFact(heads: number, { seq, hour }: { readonly seq: number; readonly hour: number }): string {
  return `${heads} in the log; the last one commits to all entries up to ${seq} since ${isoOf(endOfHourMs(hour))}`;
}

const HOUR_MS = 3_600_000;
/** Entries are published at the end of their hour. A longer delay is an outage, or an entry of a false time. */
const DELAY_MS_MAX = 3 * HOUR_MS;

/** What a reader must not conclude from the verdict, and how to find out. */
function openQuestions(report: ExportReport, options: VerificationOptions): string[] {
  const { header, lastHead, longestDelayMs, log } = report;
  const { checkpoint, pinned, comparison, heads } = log;
  const first = lastHead ? lastHead.seq + 1 : (header.firstSeq ?? 1);
  const questions: [boolean, string][] = [
    [
      !options.keys,
      'The signer: the keys are those that the export names. Give --key with one that you hold.',
    ],
    [!checkpoint, 'The log: the export has no checkpoint, so that only the chain was verified.'],
    [
      header.lastSeq !== null && first <= header.lastSeq,
      `Entries ${first} to ${header.lastSeq}: no head in the log commits to them yet. Export them again in an hour.`,
    ],
    [
      longestDelayMs > DELAY_MS_MAX,
      `When entries were recorded: some were published ${Math.floor(longestDelayMs / HOUR_MS)} hours after the time that they state.`,
    ],
    [!pinned, 'Whether the whole log was replaced: give --checkpoint with one that you have kept.'],
    [
      comparison === 'undecided',
      `Whether the log continues the pinned checkpoint: export with from_size=${pinned?.size}, or give --tiles.`,
    ],
    [
      !heads,
      options.read
        ? 'Whether the log has other heads of this account: --tiles does not have all entries of the log.'
        : 'Whether the log has other heads of this account, of a cut tail or of another chain: give --tiles.',
    ],
  ];
  return questions.flatMap(([isOpen, question]) => (isOpen ? [question] : []));
}

function namesOf({ signedBy }: NonNullable<ExportReport['log']['checkpoint']>): string {
  return signedBy.map(({ name, id }) => `${name}+${id}`).join(', ');
}

function timeOf(ms: number | null, otherwise: string): string {
  return ms === null ? otherwise : isoOf(ms);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
