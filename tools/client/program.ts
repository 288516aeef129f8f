// A program that uses the published package. The tests run it on Node, Deno and Bun; it needs VAULTSVC_URL and
// VAULTSVC_API_KEY, and prints what it saw as JSON.
import { ApiError, createClient, download, paginate, unseal, upload, verifyReceipt } from '@vaultsvc/client';
import { verifyAuditExport } from '@vaultsvc/client/audit';
import { downloadToFile, FileResumeStore, fileSource } from '@vaultsvc/client/node';
import { Buffer } from 'node:buffer';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const { VAULTSVC_URL: url = '', VAULTSVC_API_KEY: apiKey = '' } = process.env;
const client = createClient({ url, apiKey });

/** A secret is read once. */
async function sparks() {
  const payloads = ['one', 'two', 'three'];
  const { data: first } = await client.POST('/v1/sparks', { body: { payload: 'one', with_kindling: true } });
  const { spark_id, kindling = '' } = first;
  for (const payload of payloads.slice(1)) await client.POST('/v1/sparks', { body: { payload, kindling } });
  let listed = 0;
  const query = { kindling, limit: 1 };
  for await (const spark of paginate(client, '/v1/sparks', { params: { query } }))
    listed += spark.status === 'active' ? 1 : 0;
  const params = { path: { spark_id } };
  const { data } = await client.GET('/v1/sparks/{spark_id}', { params });
  const again = await client.GET('/v1/sparks/{spark_id}', { params }).catch((error: unknown) => error);
  return { listed, payload: data.payload, again: again instanceof ApiError ? again.code : String(again) };
}

/** A file goes to a vault and comes back equal. */
async function files() {
  const folder = await mkdtemp(join(tmpdir(), 'vaultsvc-client-'));
  try {
    const { data } = await client.POST('/v1/vaults', { body: { name: `client ${crypto.randomUUID()}` } });
    const vault = await unseal(client, data.vault_id, { vmk: data.vmk });
    const path = join(folder, 'sent.bin');
    const bytes = Buffer.alloc(60_000_000, 'the content of a file of two chunks ');
    await writeFile(path, bytes);
    let sent = 0;
    const { ingotId } = await upload(vault, await fileSource(path), {
      resume: new FileResumeStore(folder),
      onProgress: ({ bytes: done }) => (sent = done),
    });
    const back = join(folder, 'received.bin');
    await downloadToFile(vault, ingotId, back, { stateFolder: join(folder, 'state') });
    const { body } = await download(vault, ingotId, { start: 4, end: 11 });
    const text = await upload(vault, 'hello', { name: 'hello.txt', contentType: 'text/plain' });
    const whole = await download(vault, text.ingotId);
    return {
      sent,
      isEqual: bytes.equals(await readFile(back)),
      range: await new Response(body).text(),
      text: await new Response(whole.body).text(),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A receipt of a key that this program makes itself. */
async function receipt() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const head = encoded({ alg: 'EdDSA', typ: 'receipt+jwt', kid: 'k' });
  const text = `${head}.${encoded({ iss: url, jti: 'rcp_1', action: 'approve' })}`;
  const jws = `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  const key = { kty: 'OKP', crv: 'Ed25519', x, kid: 'k', alg: 'EdDSA', use: 'sig' } as const;
  return (await verifyReceipt(jws, { keys: [key] }, { issuer: url })).action;
}

async function audit() {
  const report = await verifyAuditExport(await client.stream('/v1/audit-logs/export'));
  return report.entries > 0;
}

const seen = { sparks: await sparks(), files: await files(), receipt: await receipt(), audit: await audit() };
process.stdout.write(`${JSON.stringify(seen)}\n`);
