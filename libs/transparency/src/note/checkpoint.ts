import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { HASH_BYTES } from '@vaultsvc/crypto/hash';
import type { TreeHead } from '../merkle/proof-verification.js';
import { InvalidNote } from './errors.js';
import type { NoteSigner } from './note-signer.js';
import { openNote, signNote } from './signed-note.js';
import type { VerifierKey } from './verifier-key.js';

/** The head of a log at one size (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  /** Identifies the log: its URL prefix without the scheme. */
  readonly origin: string;
}

/** A checkpoint whose signatures were verified. */
export interface OpenedCheckpoint extends Checkpoint {
  readonly signedBy: readonly VerifierKey[];
}

const SIZE = /^(0|[1-9]\d{0,15})$/;

/**
 * The signed note of a checkpoint. `extensions` are further lines, which verifiers ignore. During a change of the key the old one signs, too, so that verifiers accept the new one.
 * A log never signs two checkpoints of which neither is the beginning of the other.
 */
export function signCheckpoint(
  { origin, size, root }: Checkpoint,
  signers: readonly NoteSigner[],
  extensions: readonly string[] = [],
): string {
  const lines = [origin, size, root.toString('base64'), ...extensions];
  return signNote(lines.map((line) => `${line}\n`).join(''), signers);
}

/**
 * Verifies a checkpoint of the log `origin`, signed by at least one of the keys. Extension lines are ignored.
 * @throws InvalidNote for a wrong signature or form, or the checkpoint of another log
 */
export function openCheckpoint(note: string, origin: string, keys: readonly VerifierKey[]): OpenedCheckpoint {
  const { text, signedBy } = openNote(note, keys);
  const checkpoint = parse(text);
  if (checkpoint.origin !== origin)
    throw new InvalidNote(`The checkpoint is of the log ${checkpoint.origin}, not ${origin}`);
  return { ...checkpoint, signedBy };
}

/**
 * Reads a checkpoint without verifying its signatures, for uses that an attacker gains nothing by.
 * @throws InvalidNote for another text
 */
export function unverifiedCheckpoint(note: string): Checkpoint {
  return parse(note.slice(0, note.lastIndexOf('\n\n') + 1));
}

function parse(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n');
  const bytes = decodeBase64(root);
  const isCheckpoint = origin !== '' && SIZE.test(size) && Number.isSafeInteger(Number(size));
  if (!isCheckpoint || bytes?.length !== HASH_BYTES || extensions.includes(''))
    throw new InvalidNote('Not a checkpoint: origin, tree size and root hash in lines of their own');
  return { origin, size: Number(size), root: bytes };
}
