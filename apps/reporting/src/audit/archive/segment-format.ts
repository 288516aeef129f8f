import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { lengthPrefixed } from '@vaultsvc/crypto/encoding';
import { HASH_BYTES } from '@vaultsvc/crypto/hash';
import { canonicalBodyHash, SALT_BYTES } from '@vaultsvc/transparency';
import type { ArchivedContent, ArchivedEntry } from './archived-entry.js';
import type { SegmentKey } from './segment-keys.repository.js';

/** The entries of one account that a segment holds. */
export interface SegmentRange {
  readonly accountId: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** The entries of a segment, and the hash of the entry before them. */
export interface SegmentContent {
  readonly prevHash: Buffer;
  readonly entries: readonly ArchivedEntry[];
}

/** The bytes of a segment do not open, or say something impossible. */
export class DamagedSegment extends Error {
  override readonly name = 'DamagedSegment';
}

const FORMAT = 1;
/** More than any part of a segment has, whose bodies have two million characters. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024;
const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * The bytes of a segment: its facts, then a part for each key, every one sealed under its own key and bound to account, range and place.
 *
 * The facts, under the key of the account, have what the chain needs: times, types, the part that has the content of each entry, and
 * the hashes of bodies that another key opens or none does. A part has contents in the order of their entries. Hashes of readable bodies and
 * of entries are not stored: they follow from the rest.
 *
 * @param keyOf the key of an entry's content: that of the account, or of the vault that it ends with
 */
export async function encodeSegment(
  range: SegmentRange,
  { prevHash, entries }: SegmentContent,
  accountKey: SegmentKey,
  keyOf: (entry: ArchivedEntry) => SegmentKey,
): Promise<Buffer> {
  const keys = [...new Set([accountKey, ...entries.filter(({ content }) => content).map(keyOf)])];
  const places = entries.map((entry) => (entry.content ? keys.indexOf(keyOf(entry)) : ERASED));
  const header: Header = {
    format: FORMAT,
    prevHash: prevHash.toString('base64'),
    kids: keys.map(({ kid }) => kid),
  };
  const facts = entries.map(({ at, type }, index) => [at, type, places[index]]);
  const hashes = entries.filter((_, index) => places[index] !== ACCOUNT).map(({ bodyHash }) => bodyHash);
  const parts = await Promise.all(
    keys.map(({ kid, key }, place) => {
      const contents = entries.flatMap(({ content }, index) =>
        content && places[index] === place ? [content] : [],
      );
      const salts = contents.map(({ salt }) => salt);
      return sealPart(key, fieldsOf(range, kid), contents.map(lineOf), salts);
    }),
  );
  const lines = [header, ...facts].map((line) => JSON.stringify(line));
  return lengthPrefixed(await sealPart(accountKey.key, fieldsOf(range, FACTS), lines, hashes), ...parts);
}

/**
 * Opens a segment.
 * @param keysOf keys by the ids that are given; those that are destroyed are absent
 * @throws DamagedSegment
 */
export async function decodeSegment(
  range: SegmentRange,
  bytes: Buffer,
  accountKey: Buffer,
  keysOf: (kids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>,
): Promise<SegmentContent> {
  const [sealedFacts = Buffer.alloc(0), ...sealedParts] = fieldsIn(bytes);
  const { lines, binary } = await openPart(accountKey, fieldsOf(range, FACTS), sealedFacts);
  const [header, ...facts] = lines.map((line) => JSON.parse(line) as unknown) as [Header, ...Facts[]];
  if (header.format !== FORMAT) throw new DamagedSegment(`a segment has the unknown format ${header.format}`);
  const keys = await keysOf(header.kids);
  const parts = await Promise.all(
    header.kids.map((kid, place) => contentsOf(keys.get(kid), fieldsOf(range, kid), sealedParts[place])),
  );
  if (facts.length !== range.lastSeq - range.firstSeq + 1)
    throw new DamagedSegment(
      `a segment of ${range.lastSeq - range.firstSeq + 1} entries has ${facts.length}`,
    );
  const hashes = piecesOf(binary, HASH_BYTES);
  const entries = facts.map(([at, type, place], index): ArchivedEntry => {
    const content = place === ERASED ? undefined : parts[place]?.next().value;
    const bodyHash =
      place === ACCOUNT && content
        ? canonicalBodyHash(content.salt, Buffer.from(content.body))
        : (hashes.next().value as Buffer);
    return { seq: range.firstSeq + index, at, type, bodyHash, content };
  });
  return { prevHash: Buffer.from(header.prevHash, 'base64'), entries };
}

interface Header {
  readonly format: number;
  readonly prevHash: string;
  /** Of the parts, that of the account first. */
  readonly kids: readonly string[];
}

type Facts = [at: number, type: string, place: number];

/** The place of the account's part, and of the content that no part has. */
const ACCOUNT = 0;
const ERASED = -1;

const LABEL = 'vk/v1/audit-segment';
const FACTS = 'facts';

function fieldsOf({ accountId, firstSeq, lastSeq }: SegmentRange, part: string): readonly string[] {
  return [accountId, String(firstSeq), String(lastSeq), part];
}

/** The ids of an entry, a tab and its body: canonical JSON has neither tabs nor line breaks of its own. */
function lineOf({ vaultId, ingotId, appId, actorId, body }: ArchivedContent): string {
  return `${JSON.stringify([vaultId, ingotId, appId, actorId])}\t${body}`;
}

/** The contents of a part in their order; none of a part whose key is destroyed. */
async function contentsOf(
  key: Buffer | undefined,
  fields: readonly string[],
  sealed: Buffer | undefined,
): Promise<Iterator<ArchivedContent, undefined>> {
  if (!key) return contentsIn([], Buffer.alloc(0));
  if (!sealed) throw new DamagedSegment('a segment lacks a part');
  const { lines, binary } = await openPart(key, fields, sealed);
  return contentsIn(lines, binary);
}

function* contentsIn(lines: readonly string[], salts: Buffer): Generator<ArchivedContent, undefined> {
  for (const [index, line] of lines.entries()) {
    const tab = line.indexOf('\t');
    const [vaultId = null, ingotId = null, appId = null, actorId = null] = JSON.parse(
      line.slice(0, tab),
    ) as Ids;
    const salt = salts.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES);
    yield { vaultId, ingotId, appId, actorId, salt, body: line.slice(tab + 1) };
  }
}

type Ids = readonly (string | null)[];

/** Random bytes stay outside of the compressed text: they would only make it longer. */
async function sealPart(
  key: Buffer,
  fields: readonly string[],
  lines: readonly string[],
  binary: readonly Buffer[],
): Promise<Buffer> {
  const text = await compress(Buffer.from(lines.join('\n')), brotli);
  const plaintext = lengthPrefixed(text, Buffer.concat(binary));
  const sealed = sealContent(key, LABEL, fields, plaintext);
  plaintext.fill(0);
  return sealed;
}

async function openPart(key: Buffer, fields: readonly string[], sealed: Buffer) {
  const [compressed = Buffer.alloc(0), binary = Buffer.alloc(0)] = fieldsIn(
    openOrRefuse(key, fields, sealed),
  );
  const text = await decompress(compressed, { maxOutputLength: TEXT_BYTES_MAX });
  return { lines: text.length === 0 ? [] : text.toString().split('\n'), binary };
}

function openOrRefuse(key: Buffer, fields: readonly string[], sealed: Buffer): Buffer {
  try {
    return openContent(key, LABEL, fields, sealed);
  } catch (error) {
    throw new DamagedSegment('a part of a segment does not open', { cause: error });
  }
}

/** The fields of `lengthPrefixed`. */
function fieldsIn(encoded: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at < encoded.length;) {
    const start = at + 4;
    const end = start <= encoded.length ? start + encoded.readUInt32BE(at) : Infinity;
    if (end > encoded.length) throw new DamagedSegment('a segment ends early');
    fields.push(encoded.subarray(start, end));
    at = end;
  }
  return fields;
}

function* piecesOf(bytes: Buffer, length: number): Generator<Buffer, undefined> {
  for (let at = 0; at + length <= bytes.length; at += length) yield bytes.subarray(at, at + length);
}
