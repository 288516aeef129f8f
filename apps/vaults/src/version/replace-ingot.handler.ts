import { Injectable } from '@nestjs/common';
import { assertPoolsAvailable, type Input, type VaultContext } from '@vaultsvc/contracts';
import {
  ingotReplaced,
  replaceIngot,
  type IngotReplacement,
  type IngotUpload,
} from '@vaultsvc/contracts/vaults';
import { retryOnConflict, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import { assertMayWrite } from '../session/may-write.js';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { ingotNameKey } from '../ingot/ingot-name.js';
import { SessionRepository } from '../session/session.repository.js';
import { VaultAccess, type OpenVault } from '../session/vault-access.js';
import { UploadOpening } from './upload-opening.js';
import { VersionRepository, type NewVersion } from './version.repository.js';

@Injectable()
export class ReplaceIngot {
  constructor(
    private readonly access: VaultAccess,
    private readonly ingots: IngotFinder,
    private readonly sessions: SessionRepository,
    private readonly versions: VersionRepository,
    private readonly uploads: UploadOpening,
    private readonly outbox: Outbox,
  ) {}

  @Handles(replaceIngot)
  async handle(input: Input<typeof replaceIngot>, context: VaultContext): Promise<IngotUpload> {
    assertMayWrite(context);
    const question = { vaultId: input.params.vault_id, vat: context.vault.token, level: 'write' } as const;
    const opened = await this.access.open(question, context);
    try {
      // Its sharing may begin or end while the upload is opened.
      return await retryOnConflict(() => this.#open(opened, input, context));
    } finally {
      opened.vaultKey.fill(0);
    }
  }

  async #open(
    opened: OpenVault,
    { params, body }: Input<typeof replaceIngot>,
    context: VaultContext,
  ): Promise<IngotUpload> {
    if (body.name !== undefined) ingotNameKey(body.name); // 400 comes first (AMB-13)
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    const ingot = await this.ingots.find(vault, params.ingot_id);
    assertPoolsAvailable(context, 'bandwidth');
    const { ingotId, originalFilename } = ingot;
    const contentType = body.content_type ?? ingot.contentType;
    const content = { sizeBytes: body.size_bytes, contentType, originalFilename };
    const order = { ingotId, name: body.name ?? ingot.name, ...content };
    const upload = await this.uploads.open(vault, opened, order, context, (tx, version) =>
      this.#write(tx, opened.terms.vatId, version, body, context),
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
    vatId: string,
    version: NewVersion,
    { name, expected_updated_at }: IngotReplacement,
    context: VaultContext,
  ): Promise<string> {
    await this.sessions.hold(tx, vatId, version);
    const written = await this.versions.replace(tx, version, name, expected_updated_at);
    const action = { ...actionOf(context, version.vaultId), ingot_id: version.ingotId };
    await this.outbox.publish(tx, ingotReplaced, action, context);
    return written;
  }
}
