// The service of the bare pipeline (see bare-gateway.ts): encrypts, inserts, burns. One commit per request, with fsync.
import { connect, type Msg } from '@nats-io/transport-node';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import pg from 'pg';
import { natsOptions } from '../nats-options.ts';

const { NATS_URL = '', POSTGRES_URL } = process.env;
const pool = new pg.Pool({ connectionString: POSTGRES_URL, max: 10 });
await pool.query(`DROP SCHEMA IF EXISTS bare CASCADE`);
await pool.query(`CREATE SCHEMA bare`);
await pool.query(`CREATE TABLE bare.spark (id text PRIMARY KEY, payload bytea, burned_at timestamptz)`);
const key = randomBytes(32);

const create = async (message: Msg) => {
  const { payload } = JSON.parse(Buffer.from(message.data).toString());
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
  const sealed = Buffer.concat([nonce, cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
  const id = `spk_${randomBytes(16).toString('hex')}`;
  await pool.query({
    name: 'create',
    text: `INSERT INTO bare.spark (id, payload) VALUES ($1, $2)`,
    values: [id, sealed],
  });
  message.respond(JSON.stringify({ spark_id: id }));
};
const burn = async (message: Msg) => {
  const id = Buffer.from(message.data).toString();
  const { rows } = await pool.query({ name: 'burn', text: BURN, values: [id] });
  const sealed = rows[0].payload;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(-16));
  const payload = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
  message.respond(JSON.stringify({ spark_id: id, payload: payload.toString() }));
};
const BURN = `
  WITH old AS (SELECT id, payload FROM bare.spark WHERE id = $1 AND payload IS NOT NULL FOR UPDATE)
  UPDATE bare.spark s SET payload = NULL, burned_at = now() FROM old WHERE s.id = old.id RETURNING old.payload`;

const nats = await connect(natsOptions(NATS_URL));
const answer = (work: (message: Msg) => Promise<void>) => (_error: Error | null, message: Msg) =>
  void work(message);
nats.subscribe('bare.create', { queue: 'bare', callback: answer(create) });
nats.subscribe('bare.burn', { queue: 'bare', callback: answer(burn) });
await nats.flush();
process.stdout.write('ready\n');
