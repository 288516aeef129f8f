import { readLink, type SparkLink } from '@vaultsvc/contracts/sparks';
import {
  createIngot,
  createIngotLink,
  createVault,
  sealVault,
  unsealVault,
  updateSharing,
  updateVault,
  type CreatedIngotLink,
  type IngotSharing,
  type SharingChange,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { found } from '../people.js';
import { uploadByTus } from '../upload/tus-upload.js';

/** Somebody with a file in an open vault whose files may be shared. */
export class FileSender {
  private constructor(
    readonly client: Api,
    /** Of the file, as every call about it takes them. */
    readonly params: { vault_id: string; ingot_id: string },
    private readonly vmk: string,
    /** What opens the vault. */
    public headers: { 'X-Vault-Access-Token': string },
  ) {}

  /** Of an organization of their own: settings and limits are nobody else's. */
  static async of(name: string, content: Buffer): Promise<FileSender> {
    const { client } = await found('Journey of links');
    const { vault_id, vmk } = succeeded(await client.call(createVault, { body: { name: newId('vault_') } }));
    const headers = await opened(client, vault_id, vmk);
    const body = { name, size_bytes: content.length, content_type: 'application/pdf' };
    const upload = succeeded(await client.call(createIngot, { params: { vault_id }, body }, headers));
    await uploadByTus(upload.forge_url, content);
    const sender = new FileSender(client, { vault_id, ingot_id: upload.ingot_id }, vmk, headers);
    await sender.allowSharing(true);
    return sender;
  }

  /** Whether durable links of the vault's files open. */
  async allowSharing(public_file_sharing: boolean): Promise<void> {
    const { vault_id } = this.params;
    succeeded(await this.client.call(updateVault, { params: { vault_id }, body: { public_file_sharing } }));
  }

  async oneTimeLink(expires_in_seconds = 300): Promise<CreatedIngotLink> {
    const input = { params: this.params, body: { expires_in_seconds } };
    return succeeded(await this.client.call(createIngotLink, input, this.headers));
  }

  /** Shares under the durable link, changes who may open it, or ends that. */
  async share(body: SharingChange): Promise<IngotSharing> {
    return succeeded(await this.client.call(updateSharing, { params: this.params, body }, this.headers));
  }

  async read(link_code: string): Promise<SparkLink> {
    return succeeded(await this.client.call(readLink, { params: { link_code } }));
  }

  /** Without the vault's key for a while. */
  async whileSealed(work: () => Promise<void>): Promise<void> {
    const { vault_id } = this.params;
    const { status } = await this.client.call(sealVault, { params: { vault_id } });
    if (status !== 204) throw new Error(`the vault is not sealed: ${status}`);
    await work();
    this.headers = await opened(this.client, vault_id, this.vmk);
  }
}

async function opened(client: Api, vault_id: string, vmk: string) {
  const input = { params: { vault_id }, body: { vmk, ttl_seconds: 3_600 } };
  return { 'X-Vault-Access-Token': succeeded(await client.call(unsealVault, input)).vat };
}
