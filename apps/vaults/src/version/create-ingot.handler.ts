import { Controller } from '@nestjs/common';
import { validationError, type Input, type VaultContext } from '@vaultsvc/contracts';
import { createIngot, type IngotUpload, type NewIngot } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { retryOnConflict } from '@vaultsvc/database';
import { VaultAuthorizer, type OpenVault } from '../session/vault-authorizer.js';
import { IngotUpsert, type RequestedPlace } from './ingot-upsert.js';
import { UploadPreparation } from './upload-preparation.js';

@Controller()
export class CreateIngot {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly upserts: IngotUpsert,
    private readonly uploads: UploadPreparation,
  ) {}

  @Handles(createIngot)
  async handle({ params, body }: Input<typeof createIngot>, context: VaultContext): Promise<IngotUpload> {
    return this.access.withOpenVault(params, context, 'write', (vault) =>
      retryOnConflict(() => this.#open(vault, body, context)),
    );
  }

  async #open(vault: OpenVault, body: NewIngot, context: VaultContext): Promise<IngotUpload> {
    const upsert = await this.upserts.plan(vault.ids, placeIn(body), context);
    const { ingotId } = upsert;
    const { name, size_bytes, content_type, original_filename, modified_at } = body;
    const content = {
      sizeBytes: size_bytes,
      contentType: content_type,
      originalFilename: original_filename ?? null,
      modifiedAt: modified_at ?? null,
    };
    const order = { ingotId, name, ...content };
    const { url, expiresAt } = await this.uploads.prepare(vault, order, context, (tx, version) =>
      this.upserts.write(tx, upsert, vault.lock, version, context),
    );
    const shown = { ingot_id: ingotId, name, size_bytes, content_type };
    return { ...shown, status: 'uploading', forge_url: url, expires_at: expiresAt };
  }
}

/** A folder by its id or by its path, not by both (ING-07). */
function placeIn({ name, folder_id: id, folder_path: path }: NewIngot): RequestedPlace {
  if (path === undefined) return { name, folder: { id: id ?? null } };
  if (id === undefined || id === null) return { name, folder: { path } };
  throw validationError({ field: 'folder_path', message: 'folder_id and folder_path exclude each other' });
}
