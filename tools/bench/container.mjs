#!/usr/bin/env node
// node tools/bench/container.mjs: compares the file container with bare AES-256-GCM on 64 KiB, alternating in one process.
//   --rounds N    chunks of 50 MiB per measurement (default 12)
// "as read" passes the input in pieces of 65,536 bytes that are not aligned with the segments, as from a socket.
import { build } from 'esbuild';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, table } from './report.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '12' } } });
const rounds = Number(values.rounds);
const { CHUNK_BYTES, SEALED_SEGMENT_BYTES, SEGMENT_BYTES, openChunkRange, sealChunk, slicesOf } =
  await loadContainer();

const key = randomBytes(32);
const file = {
  accountId: 'acc_A',
  vaultId: 'vlt_A',
  ingotId: 'ing_A',
  versionId: 'ver_A',
  bytes: CHUNK_BYTES,
};
const [slice] = slicesOf(CHUNK_BYTES, 0, CHUNK_BYTES);
const options = { authTagLength: 16 };
const plaintext = randomBytes(CHUNK_BYTES);
const { row, stored } = await sealed();
const bareStored = cut(plaintext, SEGMENT_BYTES).map((segment, index) => bareSeal(segment, index));
const bareJoined = bareStored.map(({ text, tag }) => Buffer.concat([text, tag]));

const measurements = {
  'bare seal': () => cut(plaintext, SEGMENT_BYTES).forEach(bareSeal),
  'bare seal in a Transform': () => drain(cut(plaintext, SEGMENT_BYTES), bareTransform(sealApart)),
  'seal, whole segments': () => drain(cut(plaintext, SEGMENT_BYTES), sealChunk(key, file, 0).stream),
  'seal, as read': () => drain(asRead(plaintext), sealChunk(key, file, 0).stream),
  'bare open': () => bareStored.forEach(bareOpen),
  'bare open in a Transform': () => drain(bareJoined, bareTransform(openJoined)),
  'open, whole segments': () =>
    drain(cut(stored, SEALED_SEGMENT_BYTES), openChunkRange(key, file, row, slice)),
  'open, as read': () => drain(asRead(stored), openChunkRange(key, file, row, slice)),
};

const rates = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
for (let round = -2; round < rounds; round++) {
  for (const [name, work] of Object.entries(measurements)) {
    const start = performance.now();
    await work();
    if (round >= 0) rates[name].push(CHUNK_BYTES / 1_000 / (performance.now() - start));
  }
}
const bareOf = (name) => rates[name.includes('seal') ? 'bare seal' : 'bare open'];
table(
  `The container, median of ${rounds} chunks of 50 MiB`,
  ['', 'MB/s', 'of bare'],
  Object.entries(rates).map(([name, all]) => [
    name,
    median(all).toFixed(0),
    median(all.map((rate, round) => rate / bareOf(name)[round])).toFixed(2),
  ]),
);

/** Bundles and imports the source of the container. */
async function loadContainer() {
  const entry = fileURLToPath(new URL('../../libs/crypto/src/container/index.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

async function sealed() {
  const chunk = sealChunk(key, file, 0);
  const parts = [];
  await pipeline(
    Readable.from([plaintext]),
    chunk.stream,
    new Writable({ write: (part, _, done) => (parts.push(part), done()) }),
  );
  return { row: chunk.row, stored: Buffer.concat(parts) };
}

async function drain(pieces, stream) {
  await pipeline(
    Readable.from(pieces),
    stream,
    new Writable({ highWaterMark: 1_048_576, write: (_bytes, _encoding, done) => done() }),
  );
}

function cut(bytes, pieceBytes) {
  const count = Math.ceil(bytes.length / pieceBytes);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
}

function asRead(bytes) {
  return [bytes.subarray(0, 40_000), ...cut(bytes.subarray(40_000), 65_536)];
}

function nonceOf(index) {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 7);
  return nonce;
}

function bareSeal(segment, index) {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index), options);
  const text = cipher.update(segment);
  cipher.final();
  return { text, tag: cipher.getAuthTag() };
}

function bareOpen({ text, tag }, index) {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index), options).setAuthTag(tag);
  const plain = decipher.update(text);
  decipher.final();
  return plain;
}

function sealApart(segment, index) {
  const { text, tag } = bareSeal(segment, index);
  return [text, tag];
}

function openJoined(segment, index) {
  return [bareOpen({ text: segment.subarray(0, -16), tag: segment.subarray(-16) }, index)];
}

/** A Transform that only calls the cipher, which shows the overhead of streams. */
function bareTransform(work) {
  let index = 0;
  return new Transform({
    transform(segment, _encoding, done) {
      for (const piece of work(segment, index++)) this.push(piece);
      done();
    },
  });
}
