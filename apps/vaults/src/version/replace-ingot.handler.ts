import { Controller } from '@nestjs/common';
import { assertPoolsAvailable, type Input, type VaultContext } from '@vaultsvc/contracts';
import {
  ingotReplaced,
  type IngotReplacement,
  type IngotUpload,
  replaceIngot,
  vaultActionOf,
} from '@vaultsvc/contracts/vaults';
import { retryOnConflict, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { VaultAuthorizer, type LockVault, type OpenVault } from '../session/vault-authorizer.js';
import { UploadPreparation } from './upload-preparation.js';
import { VersionRepository, type NewVersion } from './version.repository.js';
import { boundedNameKey } from '../keys/name-key.js';

@Controller()
export class ReplaceIngot {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly ingots: IngotFinder,
    private readonly versions: VersionRepository,
    private readonly uploads: UploadPreparation,
    private readonly outbox: Outbox,
  ) {}

  @Handles(replaceIngot)
  async handle(input: Input<typeof replaceIngot>, context: VaultContext): Promise<IngotUpload> {
    return this.access.withOpenVault(input.params, context, 'write', (vault) =>
      // The ingot may be shared or unshared while the upload is prepared.
      retryOnConflict(() => this.#open(vault, input, context)),
    );
  }

  async #open(
    vault: OpenVault,
    { params, body }: Input<typeof replaceIngot>,
    context: VaultContext,
  ): Promise<IngotUpload> {
    if (body.name !== undefined) boundedNameKey(body.name); // 400 comes first (AMB-13)
    const ingot = await this.ingots.find(vault.ids, params.ingot_id);
    assertPoolsAvailable(context, 'bandwidth');
    const { ingotId, originalFilename } = ingot;
    const contentType = body.content_type ?? ingot.contentType;
    const modifiedAt = body.modified_at ?? null;
    const content = { sizeBytes: body.size_bytes, contentType, originalFilename, modifiedAt };
    const order = { ingotId, name: body.name ?? ingot.name, ...content };
    const upload = await this.uploads.prepare(vault, order, context, (tx, version) =>
      this.#write(tx, vault.lock, version, body, context),
    );
    return {
      ingot_id: ingotId,
      name: upload.written,
      size_bytes: body.size_bytes,
      content_type: contentType,
      status: 'uploading',
      forge_url: upload.url,
      expires_at: upload.expiresAt,
    };
  }

  /** The name that the ingot has now. */
  async #write(
    tx: Transaction,
    lock: LockVault,
    version: NewVersion,
    { name, expected_updated_at }: IngotReplacement,
    context: VaultContext,
  ): Promise<string> {
    await lock(tx);
    const written = await this.versions.replace(tx, version, name, expected_updated_at);
    const action = { ...vaultActionOf(context, version.vaultId), ingot_id: version.ingotId };
    await this.outbox.publish(tx, ingotReplaced, action, context);
    return written;
  }
}
