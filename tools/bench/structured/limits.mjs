// The cost of the same work without the product: ciphers, SQL and JSON, measured separately in one process.
import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomFillSync } from 'node:crypto';
import pg from 'pg';
import { median } from '../report.mjs';

const ROUNDS = 5;
const SEALED_OVERHEAD_BYTES = 97;
const key = randomBytes(32);

/**
 * Milliseconds, each the median of several rounds.
 * @param {{ postgres_url: string }} stack
 * @param {{ write: string, names: readonly string[], bytes: number }} work
 */
export async function measureParts(stack, { write, names, bytes }) {
  const all = names.map((name) => ({ name, value: randomBytes(bytes) }));
  const hundred = all.slice(0, 100);
  const single = all.slice(0, 1);
  return {
    ciphers: {
      write: await timed(() => all.forEach(sealRow)),
      writeOne: await timed(() => single.forEach(sealRow)),
      names: await openNames(all),
      hundred: await openAndSeal(hundred),
      single: await openAndSeal(single),
    },
    json: {
      write: await timed(() => JSON.parse(write)),
      names: await timed(() => JSON.parse(JSON.stringify(names))),
    },
    sql: await measureSql(stack.postgres_url, all.map(sealRow)),
  };
}

async function timed(work) {
  const times = [];
  for (let round = -2; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** One key for each value, derived by HKDF (RFC 5869, 64 bytes); one key for all names; a MAC of each name. */
function sealRow({ name, value }) {
  const blind = createHmac('sha256', key).update(name).digest();
  return { blind, sealedName: gcmSeal(key, Buffer.from(name)), sealedValue: sealWithOwnKey(value) };
}

function sealWithOwnKey(value) {
  const salt = randomFillSync(Buffer.alloc(32));
  return Buffer.concat([salt, gcmSeal(hkdf(salt), value)]);
}

function openWithOwnKey(sealed) {
  return gcmOpen(hkdf(sealed.subarray(0, 32)), sealed.subarray(32));
}

function hkdf(salt) {
  const prk = createHmac('sha256', salt).update(key).digest();
  const first = createHmac('sha256', prk).update('bench\x01').digest();
  createHmac('sha256', prk).update(first).update('bench\x02').digest();
  return first;
}

function gcmSeal(under, text) {
  const nonce = randomFillSync(Buffer.alloc(12));
  const cipher = createCipheriv('aes-256-gcm', under, nonce, { authTagLength: 16 });
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function gcmOpen(under, sealed) {
  const decipher = createDecipheriv('aes-256-gcm', under, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
}

async function openNames(all) {
  const sealed = all.map(({ name }) => gcmSeal(key, Buffer.from(name)));
  return timed(() => sealed.forEach((name) => gcmOpen(key, name)));
}

/** Decrypts values and encrypts them again for Sparks, each with its own key. */
async function openAndSeal(all) {
  const sealed = all.map(({ value }) => sealWithOwnKey(value));
  return timed(() => sealed.forEach((value) => sealWithOwnKey(openWithOwnKey(value))));
}

async function measureSql(connectionString, rows) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(`DROP SCHEMA IF EXISTS bench CASCADE; CREATE SCHEMA bench`);
    await client.query(TABLE);
    const insert = (some, ingot) => client.query({ name: 'i', text: INSERT, values: columns(some, ingot) });
    const padded = rows.map((row) => ({ ...row, sealedValue: pad(row.sealedValue) }));
    let ingots = 0;
    const write = await timed(() => insert(padded, ingots++));
    const writeOne = await timed(() => insert(padded.slice(0, 1), ingots++));
    const mint = await timed(() => insert(padded.slice(0, 100), ingots++));
    const names = await timed(() => client.query({ name: 'n', text: NAMES, values: ['0'] }));
    const blinds = (count) => rows.slice(0, count).map(({ blind }) => blind);
    const find = (count) =>
      timed(() => client.query({ name: 'v', text: VALUES, values: ['0', blinds(count)] }));
    const [hundred, single] = [await find(100), await find(1)];
    return { write, writeOne, names, hundred: hundred + mint, single: single + writeOne };
  } finally {
    await client.query(`DROP SCHEMA IF EXISTS bench CASCADE`);
    await client.end();
  }
}

/** Pads to the length of the product's ciphertexts, which have a header and a key commitment. */
function pad(sealed) {
  const bytes = sealed.length - 60 + SEALED_OVERHEAD_BYTES;
  return Buffer.concat([sealed, Buffer.alloc(bytes - sealed.length)]);
}

function columns(rows, ingot) {
  const column = (name) => rows.map((row) => row[name]);
  return [String(ingot), column('blind'), column('sealedName'), column('sealedValue')];
}

const TABLE = `
  CREATE TABLE bench.value (ingot text, blind bytea, sealed_name bytea, sealed_value bytea, PRIMARY KEY (ingot, blind))`;
const INSERT = `
  INSERT INTO bench.value SELECT $1, * FROM unnest($2::bytea[], $3::bytea[], $4::bytea[])`;
const NAMES = `SELECT blind, sealed_name FROM bench.value WHERE ingot = $1`;
const VALUES = `SELECT blind, sealed_value FROM bench.value WHERE ingot = $1 AND blind = ANY ($2::bytea[])`;
