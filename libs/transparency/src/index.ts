export {
  accountPseudonym,
  bodyHash,
  canonicalBodyHash,
  entryHash,
  FIRST_PREV_HASH,
  SALT_BYTES,
  type EntryFacts,
} from './chain/account-chain.js';
export { canonicalJson, type Json, type JsonObject } from './chain/canonical-json.js';
export { decodeHead, encodeHead, endOfHourMs, hourOf, type HeadLeaf } from './chain/head-leaf.js';
export { decodeRestore, encodeRestore, restoreExtensions, type RestoreLeaf } from './chain/restore-leaf.js';
export {
  accountEntryLine,
  EXPORT_VERSION,
  type ChainEntry,
  type EntryContent,
  type ExportHeader,
} from './export/export-lines.js';
export type { LogRestore } from './export/account-heads.js';
export type { PinnedComparison } from './export/pinned-checkpoint.js';
export { ExportProblem, type ProblemKind } from './export/problem.js';
export { verifyExport, type ExportReport } from './export/verify-export.js';
export type { VerificationOptions, VerifiedLog } from './export/verify-log.js';
export {
  writeEntries,
  writeExport,
  type EntrySource,
  type ExportSource,
  type LoggedHead,
} from './export/write-export.js';
export { verifyConsistency, verifyInclusion, type TreeHead } from './merkle/proof-verification.js';
export { EMPTY_ROOT, leafHash, nodeHash, treeHash } from './merkle/tree-hash.js';
export {
  openCheckpoint,
  signCheckpoint,
  unverifiedCheckpoint,
  type Checkpoint,
  type OpenedCheckpoint,
} from './note/checkpoint.js';
export { InvalidNote } from './note/errors.js';
export { NoteSigner } from './note/note-signer.js';
export { openNote, signNote, type SignedText } from './note/signed-note.js';
export { VerifierKey } from './note/verifier-key.js';
export { appendLeaves, type Growth, type LogFile } from './tiles/append-leaves.js';
export { decodeEntries, encodeEntries, LEAF_BYTES_MAX } from './tiles/entry-bundle.js';
export { InvalidTile, MissingTile } from './tiles/errors.js';
export { logFiles } from './tiles/log-files.js';
export { consistencyProof, inclusionProof } from './tiles/proofs.js';
export { readEntries } from './tiles/read-entries.js';
export { TileHashes, type TileReader } from './tiles/tile-hashes.js';
export { parseTilePath, TILE_WIDTH, tilePath, type TilePosition } from './tiles/tile-path.js';
