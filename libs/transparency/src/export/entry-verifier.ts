import { accountPseudonym } from '../chain/account-chain.js';
import { encodeHead, endOfHourMs, type HeadLeaf } from '../chain/head-leaf.js';
import { verifyInclusion } from '../merkle/proof-verification.js';
import { leafHash } from '../merkle/tree-hash.js';
import { ChainChecker } from './chain-checker.js';
import type { ChainEntry, ExportHeader, ProvenHead } from './export-lines.js';
import { ExportProblem } from './problem.js';
import type { VerifiedLog } from './verify-log.js';

/** Verifies the entries of an export, and the heads between them, against the log. */
export class EntryVerifier {
  readonly #chain: ChainChecker;
  /** The head of the last head line, whose entry may be missing. */
  #head: HeadLeaf | undefined;
  /** The last head that an entry was equal to. */
  #confirmed: HeadLeaf | undefined;
  /** The earliest time of the entries that no head has confirmed yet. */
  #oldestAtMs = Infinity;
  #longestDelayMs = 0;
  #entries = 0;
  #erased = 0;
  #heads = 0;

  constructor(
    private readonly header: ExportHeader,
    private readonly log: VerifiedLog,
  ) {
    const { firstSeq, fromMs, account } = header;
    if (fromMs === null && firstSeq !== null && firstSeq > 1)
      throw new ExportProblem('removed', 'entry 1 is missing in an export from the beginning', 1);
    this.#chain = new ChainChecker(account, firstSeq ?? 1);
  }

  /** @throws ExportProblem of the chain; rewritten */
  addEntry(entry: ChainEntry): void {
    if (this.header.lastSeq === null)
      throw new ExportProblem('malformed', 'the export has an entry, and its header says that it has none');
    this.#chain.add(entry);
    if (this.#chain.isDoubtful) return;
    if (this.#entries === 0) this.#compare(entry.seq - 1, entry.prevHash);
    this.#oldestAtMs = Math.min(this.#oldestAtMs, entry.at);
    this.#compare(entry.seq, entry.hash);
    this.#entries += 1;
    if (!entry.content) this.#erased += 1;
  }

  /** @throws ExportProblem: bad-proof, rewritten, malformed */
  addHead({ leaf, index, proof }: ProvenHead): void {
    if (this.#chain.isDoubtful) return; // The problem of the entries is named first.
    const { checkpoint } = this.log;
    if (!checkpoint) throw new ExportProblem('malformed', 'the export has a head and no checkpoint');
    const { account, pseudonymSalt } = this.header;
    const isOwn = leaf.pseudonym === accountPseudonym(pseudonymSalt, account);
    if (!isOwn || !verifyInclusion(checkpoint, index, leafHash(encodeHead(leaf)), proof))
      throw new ExportProblem('bad-proof', `the head of entry ${leaf.seq} is not in the log`, leaf.seq);
    const { seq, hash } = this.#chain.last;
    if (leaf.seq < seq)
      throw new ExportProblem('malformed', `the head of entry ${leaf.seq} is not in its place`);
    this.#head = leaf;
    this.#heads += 1;
    if (hash) this.#compare(seq, hash);
  }

  /** Ends the export. @throws ExportProblem of the chain; cut-tail */
  end() {
    this.#chain.end();
    const { seq } = this.#chain.last;
    const { firstSeq, lastSeq, fromMs } = this.header;
    const isAnchored = firstSeq !== null || fromMs === null; // else no head tells whether the range is empty
    if (lastSeq !== null && seq > lastSeq)
      throw new ExportProblem(
        'inserted',
        `entries follow the last one of the header, ${lastSeq}`,
        lastSeq + 1,
      );
    const required = Math.max(lastSeq ?? 0, this.#head?.seq ?? 0, isAnchored ? this.#logged() : 0);
    if (required > seq)
      throw new ExportProblem(
        'cut-tail',
        `the export ends after entry ${seq}, and there was entry ${required}`,
        seq + 1,
      );
    return {
      entries: this.#entries,
      erased: this.#erased,
      heads: this.#heads,
      lastHead: this.#confirmed,
      longestDelayMs: this.#longestDelayMs,
    };
  }

  /** The highest number that the log has for an hour that ended within the range of the export. */
  #logged(): number {
    const to = this.header.toMs ?? Infinity;
    const within = [...(this.log.heads?.values() ?? [])].filter(({ hour }) => endOfHourMs(hour) <= to);
    return within.at(-1)?.seq ?? 0;
  }

  #compare(seq: number, hash: Buffer): void {
    for (const head of [this.#head, this.log.heads?.get(seq)]) {
      if (head?.seq !== seq) continue;
      if (head.head !== hash.toString('hex')) throw this.#rewritten(head);
      this.#longestDelayMs = Math.max(this.#longestDelayMs, endOfHourMs(head.hour) - this.#oldestAtMs);
      this.#oldestAtMs = Infinity;
      this.#confirmed = head;
    }
  }

  #rewritten({ seq, hour }: HeadLeaf): ExportProblem {
    // The entry before a range is not in it.
    const first = Math.min(seq, Math.max((this.#confirmed?.seq ?? 0) + 1, this.header.firstSeq ?? 1));
    const published = new Date(endOfHourMs(hour)).toISOString();
    return new ExportProblem(
      'rewritten',
      `entries were replaced between ${first} and ${seq}: the log of ${published} has another hash for entry ${seq}`,
      first,
    );
  }
}
