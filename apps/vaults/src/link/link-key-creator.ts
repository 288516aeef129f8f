import { Injectable } from '@nestjs/common';
import { AppError, type CallContext } from '@vaultsvc/contracts';
import { parseLinkCode } from '@vaultsvc/crypto/tokens';
import { ConcurrentModification } from '@vaultsvc/database';
import { IngotFinder } from '../ingot/ingot-finder.js';
import type { OpenVault } from '../session/vault-authorizer.js';
import type { IngotOfVault } from '../sharing/share.repository.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { FileKey } from '../keys/file-key.js';
import { VersionRepository, type StoredVersion } from '../version/version.repository.js';
import { LinkKeyRepository } from './link-key.repository.js';

/** A one-time link to be created. */
export interface NewLink {
  readonly link_id: string;
  readonly link_code: string;
  readonly ttlSeconds: number;
}

/** The ingot of the link, and its expiry in epoch seconds. */
export interface CreatedLink {
  readonly ingot: IngotOfVault;
  readonly expires_at: number;
}

/** Creates the keys of one-time links: the key of the current content, wrapped with the link's code. */
@Injectable()
export class LinkKeyCreator {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly ingots: IngotFinder,
    private readonly versions: VersionRepository,
    private readonly keys: LinkKeyRepository,
  ) {}

  /** Throws what `IngotFinder.find` does, INGOT_NOT_READY, `ConcurrentModification` when the content was replaced. */
  async create(
    vault: OpenVault,
    reference: string,
    { link_id: linkId, link_code, ttlSeconds }: NewLink,
    { deadlineMs }: CallContext,
  ): Promise<CreatedLink> {
    const { ids, lock } = vault;
    const found = await this.ingots.find(ids, reference);
    const { ingotId, currentVersion, sizeBytes, contentType } = found;
    if (currentVersion === null) throw new AppError('INGOT_NOT_READY');
    const file = { ...ids, ingotId, versionId: currentVersion };
    const key = await this.#wrap(file, vault, link_code);
    const description = { linkId, name: found.originalFilename ?? found.name, sizeBytes, contentType };
    const expires_at = await this.transactions.run(ids, deadlineMs, async (tx) => {
      await lock(tx);
      return this.keys.insert(tx, { ...file, ...description, ...key }, ttlSeconds);
    });
    if (expires_at === undefined) throw new ConcurrentModification();
    return { ingot: { ...ids, ingotId }, expires_at };
  }

  async #wrap(file: FileKey['file'], { vaultKey }: OpenVault, linkCode: string): Promise<StoredVersion> {
    const stored = await this.versions.find(file);
    if (!stored) throw new ConcurrentModification();
    const fileKey = FileKey.open(vaultKey, file, stored.wrappedKey);
    const secret = parseLinkCode(linkCode) as Buffer; // a code that this call generated
    try {
      return { ...stored, wrappedKey: fileKey.under(secret, { holder: 'link' }) };
    } finally {
      fileKey.wipe();
      secret.fill(0);
    }
  }
}
