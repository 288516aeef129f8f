import { describe, expect, it } from '@jest/globals';
import {
  checkpointLine,
  consistencyLine,
  entryLine,
  headerLine,
  headLine,
  type ChainEntry,
  type ExportHeader,
  type ProvenHead,
} from './export-lines.js';
import { parseLine } from './parse-line.js';

const hash = Buffer.alloc(32, 0xab);
const hex = 'ab'.repeat(32);
const header: ExportHeader = {
  account: 'acc_1',
  pseudonymSalt: hash,
  fromMs: 0,
  toMs: null,
  firstSeq: 1,
  lastSeq: 9,
  origin: 'audit.example.com/log',
  keys: ['a key'],
};
const entry: ChainEntry = {
  seq: 1,
  at: 0,
  type: 'spark_read',
  content: { salt: hash, body: { event_id: 'e1' } },
  bodyHash: hash,
  prevHash: hash,
  hash,
};
const head: ProvenHead = {
  leaf: { pseudonym: hex, seq: 1, head: hex, hour: 498_703 },
  index: 0,
  proof: [hash, hash],
};

/** A line with some of its members replaced; undefined takes a member away. */
const changed = (line: string, members: object) => JSON.stringify({ ...JSON.parse(line), ...members });
const ofHeader = (members: object) => changed(headerLine(header), members);
const ofEntry = (members: object) => changed(entryLine(entry), members);
const ofErased = (members: object) => changed(entryLine({ ...entry, content: undefined }), members);
const ofHead = (members: object) => changed(headLine(head), members);
const ofLeaf = (members: object) => ofHead({ leaf: { ...head.leaf, ...members } });

describe('AUD-14: a line of an export is read as it was written', () => {
  it.each([
    ['header', headerLine(header), { kind: 'header', header }],
    ['checkpoint', checkpointLine('a note'), { kind: 'checkpoint', note: 'a note' }],
    [
      'consistency proof',
      consistencyLine({ fromSize: 0, proof: [hash] }),
      { kind: 'consistency', consistency: { fromSize: 0, proof: [hash] } },
    ],
    ['entry', entryLine(entry), { kind: 'entry', entry }],
    [
      'erased entry',
      entryLine({ ...entry, content: undefined }),
      { kind: 'entry', entry: { ...entry, content: undefined } },
    ],
    ['head', headLine(head), { kind: 'head', head }],
    [
      'header without a range',
      ofHeader({ first_seq: null, last_seq: null }),
      { kind: 'header', header: { ...header, firstSeq: null, lastSeq: null } },
    ],
  ])('%s', (_, line, parsed) => expect(parseLine(line)).toEqual(parsed));
});

describe('AUD-14: a line of an export is malformed, and says why:', () => {
  it.each([
    ['the line is not JSON', ['', 'x', '{"kind":"entry"']],
    [
      'the line has spaces or a duplicate name',
      ['{"kind": "entry"}', '{"kind":"entry","seq":1,"seq":2}', ` ${entryLine(entry)}`],
    ],
    ['a value is not an object', ['[]', '5', 'null', ofHead({ leaf: null }), ofHead({ leaf: [] })]],
    ['the line has an unknown kind', ['{}', '{"kind":"note"}', '{"kind":5}']],
    [
      'the line has the unknown name "x"',
      [
        ofHeader({ x: 1 }),
        changed(checkpointLine('a note'), { x: 1 }),
        changed(consistencyLine({ fromSize: 0, proof: [] }), { x: 1 }),
        ofHead({ x: 1 }),
        ofLeaf({ x: 1 }),
      ],
    ],
    ['the version of the format is not 1', [ofHeader({ version: 2 }), ofHeader({ version: '1' })]],
    [
      'the header has one of first_seq and last_seq',
      [ofHeader({ first_seq: null }), ofHeader({ last_seq: null })],
    ],
    ['a value is not a list', [ofHeader({ keys: 'a key' }), ofHead({ proof: undefined })]],
    [
      'a value is not text',
      [
        ofHeader({ account: 5 }),
        ofHeader({ origin: null }),
        ofHeader({ keys: [5] }),
        ofEntry({ type: '\ud800' }),
        ofEntry({ hash: undefined }),
        ofHead({ proof: [5] }),
      ],
    ],
    [
      'a value is not a whole number',
      [
        ofHeader({ from: -1 }),
        ofHeader({ to: 1.5 }),
        ofEntry({ seq: '1' }),
        ofEntry({ at: 2 ** 53 }),
        ofEntry({ at: null }),
        ofHead({ index: -1 }),
      ],
    ],
    [
      'a value is not 64 hexadecimal digits',
      [
        ofEntry({ hash: hex.slice(1) }),
        ofEntry({ hash: `${hex}a` }),
        ofEntry({ hash: `g${hex}` }),
        ofEntry({ hash: hex.toUpperCase() }),
        ofEntry({ prev_hash: `${hex}\n` }),
        ofHeader({ pseudonym_salt: '' }),
      ],
    ],
    [
      'an erased entry has a body or a salt',
      [ofErased({ event_id: 'e1' }), ofErased({ salt: hex }), ofErased({ erased: false })],
    ],
    ['the leaf of a head is malformed', [ofLeaf({ pseudonym: 'x' }), ofLeaf({ head: hex.slice(1) })]],
    [
      'a proof has a value that is not a hash',
      [
        ofHead({ proof: [Buffer.alloc(31).toString('base64')] }),
        ofHead({ proof: [Buffer.alloc(33).toString('base64')] }),
        ofHead({ proof: ['-'] }),
      ],
    ],
  ])('%s', (reason, lines) => {
    for (const line of lines)
      expect(() => parseLine(line)).toThrow(
        expect.objectContaining({ name: 'MalformedLine', message: reason }),
      );
  });

  it('with the error of the parser as its cause', () => {
    expect(() => parseLine('x')).toThrow(
      expect.objectContaining({ name: 'MalformedLine', cause: expect.any(SyntaxError) }),
    );
  });
});
