import { randomBytes } from 'node:crypto';
import { unwrapKey, wrapKey } from '@vaultsvc/crypto/wrap';

/** The identity of a vault. Both ids enter every derivation, so a wrap that is moved to another vault does not open. */
export interface VaultIdentity {
  readonly accountId: string;
  readonly vaultId: string;
}

export type AccessLevel = 'read' | 'read_write';

/** A new vault key. The caller fills it with 0 when done. */
export function newVaultKey(): Buffer {
  return randomBytes(32);
}

/** The vault key under the master key. */
export function wrapByVmk(vmk: Buffer, vault: VaultIdentity, vaultKey: Buffer): Buffer {
  return wrapKey(vmk, 'vk/v1/vault-key/vmk', idsOf(vault), [], vaultKey);
}

/** Opens the wrap of the master key. Throws `WrongKey` for every other key. */
export function unwrapByVmk(vmk: Buffer, vault: VaultIdentity, wrapped: Buffer): Buffer {
  return unwrapKey(vmk, 'vk/v1/vault-key/vmk', idsOf(vault), [], wrapped);
}

/** The terms of a delegated key. `accessLevel` is null for legacy keys, which may read and write (DVK-14). */
export interface DvakTerms {
  readonly dvakId: string;
  readonly dvakType: string;
  readonly authorizedUserId: string | null;
  readonly accessLevel: AccessLevel | null;
}

/** The vault key under a delegated key, on these terms. */
export function wrapByDvak(dvak: Buffer, vault: VaultIdentity, terms: DvakTerms, vaultKey: Buffer): Buffer {
  return wrapKey(dvak, 'vk/v1/vault-key/dvak', idsOf(vault), dvakAttributes(terms), vaultKey);
}

/** Opens the wrap of a delegated key. Throws `WrongKey` or `Tampered` for a row that was moved or changed. */
export function unwrapByDvak(dvak: Buffer, vault: VaultIdentity, terms: DvakTerms, wrapped: Buffer): Buffer {
  return unwrapKey(dvak, 'vk/v1/vault-key/dvak', idsOf(vault), dvakAttributes(terms), wrapped);
}

/** The terms of an access token. Times in epoch microseconds, the precision of PostgreSQL. */
export interface VatTerms {
  readonly vatId: string;
  readonly accessLevel: AccessLevel;
  /** The delegated key that minted it; null: the master key. */
  readonly dvakId: string | null;
  readonly authorizedUserId: string | null;
  readonly issuedAtMicros: number;
  readonly expiresAtMicros: number;
  readonly sealEpoch: number;
}

/** The vault key under an access token, on these terms. */
export function wrapByVat(vat: Buffer, vault: VaultIdentity, terms: VatTerms, vaultKey: Buffer): Buffer {
  return wrapKey(vat, 'vk/v1/vault-key/vat', idsOf(vault), vatAttributes(terms), vaultKey);
}

/** Opens the wrap of an access token. Throws `WrongKey` or `Tampered` for a row that was moved or changed. */
export function unwrapByVat(vat: Buffer, vault: VaultIdentity, terms: VatTerms, wrapped: Buffer): Buffer {
  return unwrapKey(vat, 'vk/v1/vault-key/vat', idsOf(vault), vatAttributes(terms), wrapped);
}

function dvakAttributes({ dvakId, dvakType, authorizedUserId, accessLevel }: DvakTerms): readonly string[] {
  return [dvakId, dvakType, authorizedUserId ?? '', accessLevel ?? ''];
}

function vatAttributes(terms: VatTerms): readonly string[] {
  const { vatId, accessLevel, dvakId, authorizedUserId, issuedAtMicros, expiresAtMicros, sealEpoch } = terms;
  const numbers = [issuedAtMicros, expiresAtMicros, sealEpoch].map(String);
  return [vatId, accessLevel, dvakId ?? 'vmk', authorizedUserId ?? '', ...numbers];
}

function idsOf({ accountId, vaultId }: VaultIdentity): readonly string[] {
  return [accountId, vaultId];
}
