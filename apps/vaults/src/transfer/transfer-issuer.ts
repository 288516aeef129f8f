import { Injectable } from '@nestjs/common';
import { serviceContext, type CallContext } from '@vaultsvc/contracts';
import { admitTransfer, type Transfer } from '@vaultsvc/contracts/forge';
import type { TransferTerms } from '@vaultsvc/crypto/container';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import { Bus } from '@vaultsvc/messaging';
import { VaultsConfig } from '../config.js';
import type { FileKey } from '../keys/file-key.js';

/** The rights of a URL to one version, and the metadata that forge needs. */
export interface TransferOrder extends Pick<
  Transfer,
  | 'operation'
  | 'mode'
  | 'bytes_max'
  | 'size_bytes'
  | 'content_type'
  | 'filename'
  | 'dvak_id'
  | 'seal_epoch'
  | 'idle_seconds'
> {
  /** The user whose removal ends the URL; null for an API key or a link. */
  readonly user_id: string | null;
  /** Seconds until it expires, used or not. */
  readonly ttlSeconds: number;
}

/** The URL contains the secret. Times in epoch seconds of the database. */
export interface IssuedTransfer {
  readonly url: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Issues URLs of forge. File keys are wrapped under ISTKs only here; vaults does not store the ISTK. */
@Injectable()
export class TransferIssuer {
  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly config: VaultsConfig,
  ) {}

  /**
   * Admits a new ISTK at forge and returns the URL that contains it. An ISTK whose URL is not handed out is harmless.
   * Throws INTERNAL_ERROR when forge does not answer.
   */
  async issue(fileKey: FileKey, order: TransferOrder, context: CallContext): Promise<IssuedTransfer> {
    const issuedAt = await this.#now();
    const expiresAt = issuedAt + order.ttlSeconds;
    const istk = mintBearer();
    // Without the caller's credential and access token: forge must hold nothing that opens a vault.
    const forgeContext = serviceContext(context);
    await this.bus.call(admitTransfer, { body: admission(fileKey, order, expiresAt, istk) }, forgeContext);
    const url = `${this.config.FORGE_ORIGIN}/${order.operation}?istk=${istk}`;
    return { url, issuedAt, expiresAt };
  }

  async #now(): Promise<number> {
    const [clock] = await this.database.query<{ now: number }>(readClock);
    return (clock as { now: number }).now;
  }
}

function admission(fileKey: FileKey, order: TransferOrder, expiresAt: number, istk: string): Transfer {
  const { ttlSeconds: _, ...metadata } = order;
  const { accountId, vaultId, ingotId, versionId } = fileKey.file;
  const { operation, mode, bytes_max: bytesMax } = order;
  return {
    ...metadata,
    ...wrapUnder(istk, fileKey, { operation, mode, bytesMax, expiresAt }),
    account_id: accountId,
    vault_id: vaultId,
    ingot_id: ingotId,
    version_id: versionId,
    expires_at: expiresAt,
  };
}

function wrapUnder(istk: string, fileKey: FileKey, terms: TransferTerms) {
  const secret = parseBearer(istk) as Buffer; // we have just minted it
  try {
    return {
      lookup: lookupHash('istk', secret).toString('base64url'),
      wrapped_key: fileKey.under(secret, { holder: 'istk', terms }).toString('base64url'),
    };
  } finally {
    secret.fill(0);
  }
}

const readClock = statement('vaults.read-clock', `SELECT ${epochSeconds('now()', 'now')}`);
