import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { InvalidNote } from './errors.js';
import type { NoteSigner } from './note-signer.js';
import { isKeyName, type VerifierKey } from './verifier-key.js';

/** A note whose signatures were verified. */
export interface SignedText {
  /** With its final newline. */
  readonly text: string;
  /** The keys that have signed it, one or more of those that were asked for. */
  readonly signedBy: readonly VerifierKey[];
}

/** A note of 16 large signatures must pass (C2SP signed-note, "Format"). */
const CHARACTERS_MAX = 1_000_000;
const SIGNATURES_MAX = 100;

const ID_BYTES = 4;
const SIGNATURE = /^— (\S+) (\S+)$/u;
/** All ASCII control characters but the newline. */
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/**
 * Signs a text, with a signature line for each signer (C2SP signed-note, "Format").
 * @throws InvalidNote for a text that does not end in a newline, or has control characters
 */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!isText(text))
    throw new InvalidNote('A note is text without control characters that ends in a newline');
  return `${text}\n${signers.map((signer) => `${signer.signatureLine(text)}\n`).join('')}`;
}

/**
 * Verifies a note. Signatures of unknown keys are ignored, so that witnesses and new keys can sign, too.
 * @throws InvalidNote unless a known key has signed it, and for any wrong signature of a known key
 */
export function openNote(note: string, keys: readonly VerifierKey[]): SignedText {
  const { text, signatures } = split(note);
  const signedBy = new Set<VerifierKey>();
  for (const { name, bytes } of signatures) {
    const id = bytes.subarray(0, ID_BYTES).toString('hex');
    const key = keys.find((known) => known.name === name && known.id === id);
    if (!key) continue;
    if (!key.verify(text, bytes.subarray(ID_BYTES)))
      throw new InvalidNote(`The signature of ${name} is wrong`);
    signedBy.add(key);
  }
  if (signedBy.size === 0) throw new InvalidNote('No known key has signed the note');
  return { text, signedBy: [...signedBy] };
}

interface Signature {
  readonly name: string;
  /** The 4 bytes of the key id, then the signature. */
  readonly bytes: Buffer;
}

/** The text is separated from the signatures by the last empty line. */
function split(note: string): { text: string; signatures: Signature[] } {
  const end = note.lastIndexOf('\n\n');
  const lines = note.slice(end + 2, -1).split('\n');
  if (end < 0 || !isText(note) || note.length > CHARACTERS_MAX || lines.length > SIGNATURES_MAX)
    throw new InvalidNote('Not a signed note: a text, an empty line, and signature lines');
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): Signature {
  const [, name = '', base64 = ''] = SIGNATURE.exec(line) ?? [];
  const bytes = decodeBase64(base64);
  if (!isKeyName(name) || !bytes || bytes.length <= ID_BYTES)
    throw new InvalidNote('A signature line is malformed');
  return { name, bytes };
}

function isText(text: string): boolean {
  return text.endsWith('\n') && text.isWellFormed() && !CONTROL.test(text);
}
