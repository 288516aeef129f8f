import { describe, expect, it } from '@jest/globals';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { randomBytes } from 'node:crypto';
import { openCheckpoint, signCheckpoint, unverifiedCheckpoint } from './checkpoint.js';
import { InvalidNote } from './errors.js';
import { NoteSigner } from './note-signer.js';
import { openNote, signNote } from './signed-note.js';
import { VerifierKey } from './verifier-key.js';

/** The example in the documentation of golang.org/x/mod/sumdb/note. */
const TEXT =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const PETER_PRIVATE = 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const PETER_LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=';
const ENOCH = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const ENOCH_LINE =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=';

const MALFORMED = 'Not a signed note: a text, an empty line, and signature lines';
const NO_CHECKPOINT = 'Not a checkpoint: origin, tree size and root hash in lines of their own';

const peter = VerifierKey.parse(PETER);
const enoch = VerifierKey.parse(ENOCH);
const privateKey = (decodeBase64(PETER_PRIVATE) ?? Buffer.alloc(0)).subarray(1);
const signer = new NoteSigner('PeterNeumann', privateKey);
const note = `${TEXT}\n${PETER_LINE}\n`;

describe('A signed note (C2SP signed-note)', () => {
  it('AUD-14: is the one that Go signs with the same key', () => {
    expect(signer.key.toString()).toBe(PETER);
    expect(signNote(TEXT, [signer])).toBe(note);
  });

  it('AUD-14: is verified with the key of Go', () => {
    expect(openNote(note, [peter])).toEqual({ text: TEXT, signedBy: [peter] });
  });

  it('AUD-14: with two signatures is opened with either key', () => {
    const both = `${note}${ENOCH_LINE}\n`;
    expect(openNote(both, [peter]).signedBy).toEqual([peter]);
    expect(openNote(both, [enoch]).signedBy).toEqual([enoch]);
    expect(openNote(both, [enoch, peter]).signedBy).toEqual([peter, enoch]);
  });

  it('AUD-14: is refused without a known key, and with a wrong signature of one', () => {
    const unknown = 'No known key has signed the note';
    expect(() => openNote(note, [enoch])).toThrow(new InvalidNote(unknown));
    expect(() => openNote(note, [])).toThrow(unknown);
    expect(new InvalidNote(unknown).name).toBe('InvalidNote');
    expect(() => openNote(note.replace('problem', 'Problem'), [peter])).toThrow(
      'The signature of PeterNeumann is wrong',
    );
    const wrong = ENOCH_LINE.replace('zmZa0', 'zmZa1');
    expect(() => openNote(`${note}${wrong}\n`, [peter, enoch])).toThrow(
      'The signature of EnochRoot is wrong',
    );
    expect(openNote(`${note}${wrong}\n`, [peter]).signedBy).toEqual([peter]);
  });

  it('AUD-14: may be one empty line, has up to 100 signatures, and up to 1,000,000 characters', () => {
    expect(openNote(signNote('\n', [signer]), [peter]).text).toBe('\n');
    expect(openNote(`${TEXT}\n${`${PETER_LINE}\n`.repeat(100)}`, [peter]).signedBy).toEqual([peter]);
    const around = signNote('\n', [signer]).length;
    const longest = signNote(`${'x'.repeat(1_000_000 - around)}\n`, [signer]);
    expect(longest).toHaveLength(1_000_000);
    expect(openNote(longest, [peter]).signedBy).toEqual([peter]);
    const longer = signNote(`x${longest.slice(0, longest.indexOf('\n'))}\n`, [signer]);
    expect(() => openNote(longer, [peter])).toThrow(MALFORMED);
  });

  it.each([
    ['no signature', TEXT],
    ['no text', `\n${PETER_LINE}\n`],
    ['no empty line', `${TEXT}${PETER_LINE}\n`],
    ['no newline at its end', note.slice(0, -1)],
    ['a carriage return', note.replace('\n', '\r\n')],
    ['a control character', note.replace('problem', 'prob\u0007lem')],
    ['a lone surrogate', note.replace('problem', 'prob\ud800lem')],
    ['too many signatures', `${TEXT}\n${`${PETER_LINE}\n`.repeat(101)}`],
    ['too many characters', `${'x'.repeat(1_000_000)}\n\n${PETER_LINE}\n`],
  ])('AUD-14: with %s is refused', (_, broken) => {
    expect(() => openNote(broken, [peter])).toThrow(new InvalidNote(MALFORMED));
  });

  it.each([
    ['a hyphen for the dash', note.replace('—', '-')],
    ['a signature of three bytes', `${TEXT}\n— PeterNeumann x08g\n`],
    ['a key id alone', `${TEXT}\n— PeterNeumann x08goA==\n`],
    ['a signature in invalid base64', note.replace('JnAM=', 'JnAN=')],
    ['a plus in the name', note.replace('— PeterNeumann', '— Peter+Neumann')],
  ])('AUD-14: is refused for a line with %s', (_, broken) => {
    expect(() => openNote(broken, [peter])).toThrow(new InvalidNote('A signature line is malformed'));
  });

  it('AUD-14: is not made of a text that no verifier would accept', () => {
    for (const text of ['', 'no newline', 'a tab\t\n', 'a lone surrogate \ud800\n'])
      expect(() => signNote(text, [signer])).toThrow(
        new InvalidNote('A note is text without control characters that ends in a newline'),
      );
  });
});

describe('A verifier key', () => {
  const form = 'A key is name+id+base64 with an Ed25519 key';
  const name = 'The name of a key has neither spaces nor plus signs';
  it.each([
    [PETER.replace('c74f20a3', 'c74f20a4'), 'The key PeterNeumann+c74f20a4 does not have this id'],
    [PETER.replace('+ARpc', '+BRpc'), form],
    [PETER.slice(0, -4), form],
    [PETER.replace('PeterNeumann', 'Peter Neumann'), name],
    [PETER.replace('PeterNeumann', 'Peter\ud800'), name],
    [PETER.replace('PeterNeumann', ''), name],
    ['PeterNeumann', form],
    ['PeterNeumann+c74f20a3+?', form],
    ['', form],
  ])('AUD-14: is not %j', (text, problem) => {
    expect(() => VerifierKey.parse(text)).toThrow(new InvalidNote(problem));
  });

  it('AUD-14: may have a plus in its base64', () => {
    const keys = Array.from({ length: 40 }, (_, byte) => new NoteSigner('log', Buffer.alloc(32, byte)).key);
    const texts = keys.map(String).filter((text) => text.split('+').length > 3);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(VerifierKey.parse(text).toString()).toBe(text);
  });
});

describe('A checkpoint (C2SP tlog-checkpoint)', () => {
  const origin = 'audit.example.com/v1/audit-logs/log';
  const head = { origin, size: 20_852_163, root: Buffer.alloc(32, 5) };
  const [earlier, later] = [new NoteSigner(origin, randomBytes(32)), new NoteSigner(origin, randomBytes(32))];
  const signed = signCheckpoint(head, [later]);
  const openText = (text: string) => openCheckpoint(signNote(text, [later]), origin, [later.key]);

  it('AUD-14: has origin, size and root in its first lines', () => {
    expect(signCheckpoint(head, [later])).toMatch(
      `${origin}\n20852163\nBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n\n— ${origin} `,
    );
    expect(openCheckpoint(signed, origin, [later.key])).toEqual({ ...head, signedBy: [later.key] });
    expect(openText(`${origin}\n0\n${'A'.repeat(43)}=\nextension\n`)).toMatchObject({ size: 0 });
  });

  it('AUD-14: of a new key is accepted with the old key, which signs it, too', () => {
    const rollover = signCheckpoint(head, [later, earlier]);
    expect(openCheckpoint(rollover, origin, [earlier.key]).signedBy).toEqual([earlier.key]);
    expect(openCheckpoint(rollover, origin, [later.key]).signedBy).toEqual([later.key]);
    expect(() => openCheckpoint(signed, origin, [earlier.key])).toThrow(InvalidNote);
  });

  it('AUD-14: is read without a key where the signature does not matter', () => {
    expect(unverifiedCheckpoint(signed)).toEqual(head);
    for (const text of [TEXT, `\n20\n${'A'.repeat(43)}=\n\n`])
      expect(() => unverifiedCheckpoint(text)).toThrow(new InvalidNote(NO_CHECKPOINT));
  });

  it('AUD-14: of another log is refused', () => {
    expect(() => openCheckpoint(signed, 'other.example.com/log', [later.key])).toThrow(
      new InvalidNote(`The checkpoint is of the log ${origin}, not other.example.com/log`),
    );
  });

  it.each([
    `${origin}\n01\n${'A'.repeat(43)}=\n`,
    `${origin}\n-1\n${'A'.repeat(43)}=\n`,
    `${origin}\n9007199254740992\n${'A'.repeat(43)}=\n`,
    `${origin}\n1\n${'A'.repeat(42)}=\n`,
    `${origin}\n1\n`,
    `${origin}\n1\n${'A'.repeat(43)}=\n\nextension\n`,
  ])('AUD-14: is not the text %j', (text) => {
    expect(() => openText(text)).toThrow(new InvalidNote(NO_CHECKPOINT));
  });
});
