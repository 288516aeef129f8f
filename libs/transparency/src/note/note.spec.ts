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
    expect(() => openNote(note, [enoch])).toThrow(InvalidNote);
    expect(() => openNote(note, [])).toThrow(InvalidNote);
    expect(() => openNote(note.replace('problem', 'Problem'), [peter])).toThrow(
      'The signature of PeterNeumann is wrong',
    );
    const wrong = ENOCH_LINE.replace('zmZa0', 'zmZa1');
    expect(() => openNote(`${note}${wrong}\n`, [peter, enoch])).toThrow(
      'The signature of EnochRoot is wrong',
    );
    expect(openNote(`${note}${wrong}\n`, [peter]).signedBy).toEqual([peter]);
  });

  it.each([
    ['no signature', TEXT],
    ['no text', `\n${PETER_LINE}\n`],
    ['no empty line', `${TEXT}${PETER_LINE}\n`],
    ['no newline at its end', note.slice(0, -1)],
    ['a carriage return', note.replace('\n', '\r\n')],
    ['a control character', note.replace('problem', 'prob\u0007lem')],
    ['a lone surrogate', note.replace('problem', 'prob\ud800lem')],
    ['a hyphen for the dash', note.replace('—', '-')],
    ['a signature without a key id', `${TEXT}\n— PeterNeumann x08g\n`],
    ['a signature in invalid base64', note.replace('JnAM=', 'JnAN=')],
    ['a plus in the name', note.replace('— PeterNeumann', '— Peter+Neumann')],
    ['too many signatures', `${TEXT}\n${`${PETER_LINE}\n`.repeat(101)}`],
    ['too many characters', `${'x'.repeat(1_000_000)}\n\n${PETER_LINE}\n`],
  ])('AUD-14: with %s is refused', (_, broken) => {
    expect(() => openNote(broken, [peter])).toThrow(InvalidNote);
  });

  it('AUD-14: is not made of a text that no verifier would accept', () => {
    for (const text of ['', 'no newline', 'a tab\t\n', 'a lone surrogate \ud800\n'])
      expect(() => signNote(text, [signer])).toThrow(InvalidNote);
  });
});

describe('A verifier key', () => {
  it.each([
    PETER.replace('c74f20a3', 'c74f20a4'),
    PETER.replace('+ARpc', '+BRpc'),
    PETER.slice(0, -4),
    PETER.replace('PeterNeumann', 'Peter Neumann'),
    PETER.replace('PeterNeumann', ''),
    'PeterNeumann',
    '',
  ])('AUD-14: is not %j', (text) => {
    expect(() => VerifierKey.parse(text)).toThrow(InvalidNote);
  });
});

describe('A checkpoint (C2SP tlog-checkpoint)', () => {
  const origin = 'audit.example.com/v1/audit-logs/log';
  const head = { origin, size: 20_852_163, root: Buffer.alloc(32, 5) };
  const [earlier, later] = [new NoteSigner(origin, randomBytes(32)), new NoteSigner(origin, randomBytes(32))];
  const signed = signCheckpoint(head, [later]);
  const openText = (text: string) => openCheckpoint(signNote(text, [later]), origin, [later.key]);

  it('AUD-14: has origin, size and root in its first lines', () => {
    expect(signed).toMatch(
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
    expect(() => unverifiedCheckpoint(TEXT)).toThrow(InvalidNote);
  });

  it('AUD-14: of another log is refused', () => {
    expect(() => openCheckpoint(signed, 'other.example.com/log', [later.key])).toThrow(InvalidNote);
  });

  it.each([
    `${origin}\n01\n${'A'.repeat(43)}=\n`,
    `${origin}\n-1\n${'A'.repeat(43)}=\n`,
    `${origin}\n9007199254740992\n${'A'.repeat(43)}=\n`,
    `${origin}\n1\n${'A'.repeat(42)}=\n`,
    `${origin}\n1\n`,
    `${origin}\n1\n${'A'.repeat(43)}=\n\nextension\n`,
  ])('AUD-14: is not the text %j', (text) => {
    expect(() => openText(text)).toThrow(InvalidNote);
  });
});
