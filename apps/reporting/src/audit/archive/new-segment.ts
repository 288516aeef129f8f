import { sha256 } from '@vaultsvc/crypto/hash';
import { canonicalBodyHash, entryHash } from '@vaultsvc/transparency';
import { filterValuesOf, type ArchivedEntry } from './archived-entry.js';
import { SegmentFilter } from './segment-filter.js';
import { encodeSegment, type SegmentRange } from './segment-format.js';
import type { SegmentKey, SegmentKeysRepository } from './segment-keys.repository.js';
import type { ChainPosition, NewSegment, StoredEntry } from './segments.repository.js';

/** Characters of the bodies of a segment, which is read as a whole. */
const BODY_LENGTH_MAX = 2 * 1024 * 1024;
/** These stay readable when their vault is deleted, as the account's record of it (AUD-13). */
const OF_ACCOUNT: ReadonlySet<string> = new Set(['vault_created', 'vault_deleted']);

/** A segment before it is stored. */
export interface EncodedSegment {
  readonly range: SegmentRange;
  readonly bytes: Buffer;
  readonly record: Omit<NewSegment, 'object'>;
}

/**
 * Encodes the next entries of a chain, or the first of them if their bodies are long.
 *
 * @returns undefined while an entry belongs to a deleted vault, which has no key any more: it is about to be erased
 * @throws Error for entries that do not verify. Hashes of archived entries are made from their contents: archiving would mend, and
 * so hide, what is wrong.
 */
export async function newSegment(
  position: ChainPosition,
  found: readonly StoredEntry[],
  segmentKeys: SegmentKeysRepository,
): Promise<EncodedSegment | undefined> {
  const { accountId, seq, hash: prevHash } = position;
  const entries = upToLength(found);
  assertChain(position, entries);
  const readable = entries.filter(({ content }) => content);
  const vaultIds = [...new Set(readable.map(vaultOf))].filter((id) => id !== '');
  const keys = await segmentKeys.ensure(accountId, vaultIds);
  const account = keys.get('');
  if (!account || vaultIds.some((id) => !keys.has(id))) return undefined;
  const keyOf = (entry: ArchivedEntry) => keys.get(vaultOf(entry)) as SegmentKey;
  const range = { accountId, firstSeq: seq + 1, lastSeq: seq + entries.length };
  const bytes = await encodeSegment(range, { prevHash, entries }, account, keyOf);
  const record = {
    ...range,
    digest: sha256(bytes),
    filter: SegmentFilter.of(new Set(entries.flatMap(filterValuesOf))).bytes,
    erased: entries.length - readable.length,
    kids: [...new Set([account, ...readable.map(keyOf)].map(({ kid }) => kid))],
  };
  return { range, bytes, record };
}

/** The vault with which the content of an entry ends; '' for none. */
function vaultOf({ type, content }: ArchivedEntry): string {
  return OF_ACCOUNT.has(type) ? '' : (content?.vaultId ?? '');
}

/** The first entries, one at least, whose bodies have this length. */
function upToLength(entries: readonly StoredEntry[]): readonly StoredEntry[] {
  let length = 0;
  const tooMany = entries.findIndex(
    ({ content }, index) => (length += content?.body.length ?? 0) > BODY_LENGTH_MAX && index > 0,
  );
  return tooMany === -1 ? entries : entries.slice(0, tooMany);
}

function assertChain(
  { accountId, seq: lastSeq, hash: lastHash }: ChainPosition,
  entries: readonly StoredEntry[],
) {
  let previous = lastHash;
  for (const [index, { seq, at, type, bodyHash, hash, content }] of entries.entries()) {
    const isBody = !content || canonicalBodyHash(content.salt, Buffer.from(content.body)).equals(bodyHash);
    const follows = entryHash(previous, { account: accountId, seq, at, type }, bodyHash).equals(hash);
    if (!isBody || !follows || seq !== lastSeq + 1 + index)
      throw new Error(`entry ${seq} of the audit log does not follow from its body and the one before`);
    previous = hash;
  }
}
