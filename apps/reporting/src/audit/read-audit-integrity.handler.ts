import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readAuditIntegrity, type AuditIntegrity } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import {
  bodyHash,
  encodeHead,
  entryHash,
  inclusionProof,
  leafHash,
  openCheckpoint,
  verifyInclusion,
  type ChainEntry,
  type LoggedHead,
  type OpenedCheckpoint,
} from '@vaultsvc/transparency';
import { DamagedSegment } from './archive/segment-format.js';
import { AuditExportRepository } from './audit-export.repository.js';
import { TransparencyLog } from './log/transparency-log.js';

/** Entries that a request verifies: some ten milliseconds of work. An export is verified as a whole. */
const VERIFIED_ENTRIES = 1_000;

/** Verifies the newest entries of an account against each other and against the transparency log (AUD-14). */
@Controller()
export class ReadAuditIntegrity {
  constructor(
    private readonly entries: AuditExportRepository,
    private readonly log: TransparencyLog,
  ) {}

  @Handles(readAuditIntegrity)
  async handle(_: Input<typeof readAuditIntegrity>, { credential }: AccountContext): Promise<AuditIntegrity> {
    const { accountId } = credential;
    const last = await this.entries.lastSeq(accountId);
    const first = Math.max(1, last - VERIFIED_ENTRIES + 1);
    const checkpoint = await this.#checkpoint();
    const head = checkpoint && (await this.entries.lastHead(accountId, checkpoint.size));
    const holds = await this.#holds(accountId, { first, last }, checkpoint, head).catch(brokenIfDamaged);
    return {
      state: holds ? (head ? 'verified' : 'pending') : 'broken',
      entries: last,
      logged_entries: head?.leaf.seq ?? 0,
      tree_size: checkpoint?.size ?? 0,
      origin: this.log.origin,
      keys: this.log.keys.map(String),
    };
  }

  /** Whether the newest entries fit together and the log has their head. */
  async #holds(
    accountId: string,
    { first, last }: { readonly first: number; readonly last: number },
    checkpoint: OpenedCheckpoint | undefined,
    head: LoggedHead | undefined,
  ): Promise<boolean> {
    const newest = await this.entries.entries(accountId, first, last, VERIFIED_ENTRIES);
    const isWhole = newest.length === last - first + 1 && isChain(accountId, newest);
    return isWhole && (!head || !checkpoint || this.#isLogged(accountId, head, checkpoint));
  }

  /** The last checkpoint, with a valid signature. */
  async #checkpoint(): Promise<OpenedCheckpoint | undefined> {
    const latest = await this.log.latest();
    return latest && openCheckpoint(latest.note, this.log.origin, this.log.keys);
  }

  /** Whether the log contains the head, and the chain the entry that it names. */
  async #isLogged(accountId: string, { leaf, index }: LoggedHead, tree: OpenedCheckpoint): Promise<boolean> {
    const [entry] = await this.entries.entries(accountId, leaf.seq, leaf.seq, 1);
    if (entry?.hash.toString('hex') !== leaf.head) return false;
    const proof = await inclusionProof(tree.size, index, this.log.read);
    return verifyInclusion(tree, index, leafHash(encodeHead(leaf)), proof);
  }
}

/** An archived segment that is lost or changed is what the chain is there to show. */
function brokenIfDamaged(error: unknown): false {
  if (error instanceof DamagedSegment) return false;
  throw error;
}

/** Whether each entry follows from its body and from the entry before it. */
function isChain(account: string, entries: readonly ChainEntry[]): boolean {
  return entries.every((entry, index) => {
    const { seq, at, type, content, bodyHash: body, prevHash, hash } = entry;
    const before = entries[index - 1];
    const follows = !before || (before.hash.equals(prevHash) && seq === before.seq + 1);
    const isBody = !content || bodyHash(content.salt, content.body).equals(body);
    return follows && isBody && entryHash(prevHash, { account, seq, at, type }, body).equals(hash);
  });
}
