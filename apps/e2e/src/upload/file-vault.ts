import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import {
  createIngot,
  createVault,
  downloadIngot,
  readIngot,
  unsealVault,
  type IngotMetadata,
  type IngotUpload,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import type { Stack } from '../stack.js';

/** An unsealed vault of the first account, for files. */
export class FileVault {
  private constructor(
    private readonly client: Api,
    private readonly vaultId: string,
    private readonly token: Record<string, string>,
  ) {}

  static async open({ api_url, account }: Stack): Promise<FileVault> {
    const client = api(api_url, { key: account.api_key });
    const { vault_id, vmk } = succeeded(await client.call(createVault, { body: { name: newId('vault_') } }));
    const unsealing = { params: { vault_id }, body: { vmk, ttl_seconds: 3_600 } };
    const { vat } = succeeded(await client.call(unsealVault, unsealing));
    return new FileVault(client, vault_id, { 'X-Vault-Access-Token': vat });
  }

  /** Creates an upload; the reply contains its forge_url. */
  async openUpload(name: string, bytes: number): Promise<IngotUpload> {
    const body = { name, size_bytes: bytes, content_type: 'application/octet-stream' };
    const params = { vault_id: this.vaultId };
    return succeeded(await this.client.call(createIngot, { params, body }, this.token));
  }

  async read(ingotId: string): Promise<IngotMetadata> {
    const params = { vault_id: this.vaultId, ingot_id: ingotId };
    return succeeded(await this.client.call(readIngot, { params }, this.token));
  }

  /** SHA-256 in hex of a download. Throws for any status but 200. */
  async downloadedHash(ingotId: string): Promise<string> {
    const params = { vault_id: this.vaultId, ingot_id: ingotId };
    const answer = await this.client.call(downloadIngot, { params, body: { stream: false } }, this.token);
    return hashOf(succeeded(answer).download_url);
  }
}

async function hashOf(url: string): Promise<string> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the download was answered ${response.statusCode}`);
  const hash = createHash('sha256');
  for await (const part of response) hash.update(part as Buffer);
  return hash.digest('hex');
}
