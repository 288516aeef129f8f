import { randomBytes } from 'node:crypto';
import { serviceContext } from '@vaultsvc/contracts';
import { admitTransfer, type Transfer } from '@vaultsvc/contracts/forge';
import { type FileIds, type TransferTerms, wrapFileKey } from '@vaultsvc/crypto/container';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import type { Harness } from '@vaultsvc/testing/harness';

/** What a spec wants an ISTK to be; what it leaves out is a fresh ingot's single-use upload of 24 hours. */
export interface TransferOptions extends Partial<FileIds> {
  readonly operation?: TransferTerms['operation'];
  readonly mode?: TransferTerms['mode'];
  readonly sizeBytes?: number;
  /** The cap; of what `sizeBytes` says unless said otherwise. */
  readonly bytesMax?: number;
  readonly ttlSeconds?: number;
  readonly fileKey?: Buffer;
  readonly contentType?: string;
  readonly filename?: string;
  readonly dvakId?: string | null;
  readonly sealEpoch?: number | null;
}

/** An ISTK that forge has admitted, and all that its minter knows of it. */
export interface MintedTransfer extends FileIds {
  readonly istk: string;
  readonly lookup: Buffer;
  readonly terms: TransferTerms;
  readonly fileKey: Buffer;
  readonly sizeBytes: number;
}

const DAY_SECONDS = 86_400;

/** Mints an ISTK through forge.admit-transfer, as vaults does. */
export async function mintTransfer(harness: Harness, wish: TransferOptions = {}): Promise<MintedTransfer> {
  const minted = transferOf(wish);
  await harness.bus.call(admitTransfer, { body: admission(minted, wish) }, serviceContext(newId('req_')));
  return minted;
}

/** An ISTK for downloading what another one has uploaded: the same version under the same key. */
export function mintDownload(harness: Harness, of: MintedTransfer, wish: TransferOptions = {}) {
  const { accountId, vaultId, ingotId, versionId, fileKey, sizeBytes } = of;
  const file = { accountId, vaultId, ingotId, versionId, fileKey, sizeBytes };
  return mintTransfer(harness, { ...file, operation: 'decrypt', sealEpoch: 0, ...wish });
}

function transferOf(wish: TransferOptions): MintedTransfer {
  const { operation = 'encrypt', mode = 'once', sizeBytes = 1_000, ttlSeconds = DAY_SECONDS } = wish;
  const istk = mintBearer();
  const expiresAt = Math.floor(Date.now() / 1_000) + ttlSeconds;
  return {
    accountId: wish.accountId ?? newId('acc_'),
    vaultId: wish.vaultId ?? newId('vlt_'),
    ingotId: wish.ingotId ?? newId('ing_'),
    versionId: wish.versionId ?? newId('ver_'),
    istk,
    lookup: lookupHash('istk', parseBearer(istk) as Buffer),
    terms: { operation, mode, bytesMax: wish.bytesMax ?? sizeBytes, expiresAt },
    fileKey: wish.fileKey ?? randomBytes(32),
    sizeBytes,
  };
}

function admission(minted: MintedTransfer, wish: TransferOptions): Transfer {
  const { istk, terms, fileKey } = minted;
  const wrapped = wrapFileKey(parseBearer(istk) as Buffer, minted, { holder: 'istk', terms }, fileKey);
  return {
    account_id: minted.accountId,
    vault_id: minted.vaultId,
    ingot_id: minted.ingotId,
    version_id: minted.versionId,
    lookup: minted.lookup.toString('base64url'),
    wrapped_key: wrapped.toString('base64url'),
    operation: terms.operation,
    mode: terms.mode,
    bytes_max: terms.bytesMax,
    expires_at: terms.expiresAt,
    size_bytes: minted.sizeBytes,
    content_type: wish.contentType ?? 'application/octet-stream',
    filename: wish.filename ?? 'file.bin',
    dvak_id: wish.dvakId ?? null,
    seal_epoch: wish.sealEpoch ?? null,
  };
}
