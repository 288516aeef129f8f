import { randomBytes } from 'node:crypto';
import { admitTransfer, type Transfer } from '@vaultsvc/contracts/forge';
import { type FileIds, type TransferTerms, wrapFileKey } from '@vaultsvc/crypto/container';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import type { Harness } from '@vaultsvc/testing/harness';
import { internalContext } from '@vaultsvc/testing/harness';

/** Properties of an ISTK to mint; by default for a single-use upload of a new ingot, for 24 hours. */
export interface TransferOptions extends Partial<FileIds> {
  readonly operation?: TransferTerms['operation'];
  readonly mode?: TransferTerms['mode'];
  readonly sizeBytes?: number;
  /** The byte cap, by default `sizeBytes`. */
  readonly bytesMax?: number;
  readonly ttlSeconds?: number;
  readonly fileKey?: Buffer;
  readonly contentType?: string;
  readonly filename?: string;
  readonly dvakId?: string | null;
  /** Absent as from vaults of the previous release. */
  readonly userId?: string | null;
  readonly sealEpoch?: number | null;
  /** Of streams of links; absent as from downloads of the API. */
  readonly idleSeconds?: number;
}

/** An ISTK that forge has admitted, with its secrets. */
export interface MintedTransfer extends FileIds {
  readonly istk: string;
  readonly lookup: Buffer;
  readonly terms: TransferTerms;
  readonly fileKey: Buffer;
  readonly sizeBytes: number;
}

const DAY_SECONDS = 86_400;

/** Mints an ISTK through forge.admit-transfer, as vaults does. */
export async function mintTransfer(harness: Harness, options: TransferOptions = {}): Promise<MintedTransfer> {
  const minted = transferOf(options);
  await harness.bus.call(admitTransfer, { body: admission(minted, options) }, internalContext());
  return minted;
}

/** Mints an ISTK for a download of the version of another ISTK. */
export function mintDownload(harness: Harness, of: MintedTransfer, options: TransferOptions = {}) {
  const { accountId, vaultId, ingotId, versionId, fileKey, sizeBytes } = of;
  const file = { accountId, vaultId, ingotId, versionId, fileKey, sizeBytes };
  return mintTransfer(harness, { ...file, operation: 'decrypt', sealEpoch: 0, ...options });
}

function transferOf(options: TransferOptions): MintedTransfer {
  const { operation = 'encrypt', mode = 'once', sizeBytes = 1_000, ttlSeconds = DAY_SECONDS } = options;
  const istk = mintBearer();
  const expiresAt = Math.floor(Date.now() / 1_000) + ttlSeconds;
  return {
    accountId: options.accountId ?? newId('acc_'),
    vaultId: options.vaultId ?? newId('vlt_'),
    ingotId: options.ingotId ?? newId('ing_'),
    versionId: options.versionId ?? newId('ver_'),
    istk,
    lookup: lookupHash('istk', parseBearer(istk) as Buffer),
    terms: { operation, mode, bytesMax: options.bytesMax ?? sizeBytes, expiresAt },
    fileKey: options.fileKey ?? randomBytes(32),
    sizeBytes,
  };
}

function admission(minted: MintedTransfer, options: TransferOptions): Transfer {
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
    content_type: options.contentType ?? 'application/octet-stream',
    filename: options.filename ?? 'file.bin',
    dvak_id: options.dvakId ?? null,
    user_id: options.userId,
    seal_epoch: options.sealEpoch ?? null,
    idle_seconds: options.idleSeconds,
  };
}
