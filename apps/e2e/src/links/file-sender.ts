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
import { signUpOrganization } from '../sign-in.js';
import { uploadByTus } from '../upload/tus-upload.js';

/** The owner of an account with a file in an unsealed vault that allows sharing. */
export class FileSender {
  private constructor(
    readonly client: Api,
    /** The path parameters of the file. */
    readonly params: { vault_id: string; ingot_id: string },
    private readonly vmk: string,
    /** The header with the Vault Access Token. */
    public headers: { 'X-Vault-Access-Token': string },
  ) {}

  /** Creates a new organization, so that settings and limits are not shared with other tests. */
  static async create(name: string, content: Buffer): Promise<FileSender> {
    const { client } = await signUpOrganization('Journey of links');
    const { vault_id, vmk } = succeeded(await client.call(createVault, { body: { name: newId('vault_') } }));
    const headers = await unseal(client, vault_id, vmk);
    const body = { name, size_bytes: content.length, content_type: 'application/pdf' };
    const upload = succeeded(await client.call(createIngot, { params: { vault_id }, body }, headers));
    await uploadByTus(upload.forge_url, content);
    const sender = new FileSender(client, { vault_id, ingot_id: upload.ingot_id }, vmk, headers);
    await sender.allowSharing(true);
    return sender;
  }

  /** Allows or pauses the durable links of the vault's files. */
  async allowSharing(public_file_sharing: boolean): Promise<void> {
    const { vault_id } = this.params;
    succeeded(await this.client.call(updateVault, { params: { vault_id }, body: { public_file_sharing } }));
  }

  async oneTimeLink(expires_in_seconds = 300): Promise<CreatedIngotLink> {
    const input = { params: this.params, body: { expires_in_seconds } };
    return succeeded(await this.client.call(createIngotLink, input, this.headers));
  }

  /** Shares the file by a durable link, changes its visibility, or ends the sharing. */
  async share(body: SharingChange): Promise<IngotSharing> {
    return succeeded(await this.client.call(updateSharing, { params: this.params, body }, this.headers));
  }

  async read(link_code: string): Promise<SparkLink> {
    return succeeded(await this.client.call(readLink, { params: { link_code } }));
  }

  /** Runs the work while the vault is sealed. */
  async whileSealed(work: () => Promise<void>): Promise<void> {
    const { vault_id } = this.params;
    const { status } = await this.client.call(sealVault, { params: { vault_id } });
    if (status !== 204) throw new Error(`sealing the vault was answered ${status}`);
    await work();
    this.headers = await unseal(this.client, vault_id, this.vmk);
  }
}

async function unseal(client: Api, vault_id: string, vmk: string) {
  const input = { params: { vault_id }, body: { vmk, ttl_seconds: 3_600 } };
  return { 'X-Vault-Access-Token': succeeded(await client.call(unsealVault, input)).vat };
}
