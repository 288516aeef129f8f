import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { lookupHash } from '@vaultsvc/crypto/tokens';
import { WrongKey } from '@vaultsvc/crypto/wrap';
import { DvakRepository } from './dvak.repository.js';
import { unwrapByDvak, unwrapByVmk, type AccessLevel, type VaultIdentity } from '../keys/vault-key.js';
import { VaultRepository } from '../vault/vault.repository.js';
import { callingUser } from './calling-user.js';
import type { PresentedKey } from './presented-key.js';

/** An open vault key and the rights of the key that opened it. */
export interface Opened {
  /** The caller fills it with 0 when done. */
  readonly vaultKey: Buffer;
  readonly accessLevel: AccessLevel;
  /** The delegated key; null: the master key. */
  readonly dvakId: string | null;
  /** The only user that may use it; null: any caller of the account. */
  readonly authorizedUserId: string | null;
}

/** Opens vault keys with master keys and delegated keys. */
@Injectable()
export class VaultOpener {
  constructor(
    private readonly vaults: VaultRepository,
    private readonly dvaks: DvakRepository,
  ) {}

  /** Throws VAULT_NOT_FOUND; VAULT_KEY_WRONG; for a delegated key DVAK_INVALID or DVAK_OF_ANOTHER_USER before that. */
  async open(key: PresentedKey, context: AccountContext, vaultId: string): Promise<Opened> {
    const vault = { vaultId, accountId: context.credential.accountId };
    try {
      return key.kind === 'vmk'
        ? { ...master, vaultKey: await this.openByVmk(key.bytes, vault) }
        : await this.#openByDvak(key.bytes, vault, callingUser(context.credential));
    } finally {
      key.bytes?.fill(0);
    }
  }

  /** Throws VAULT_NOT_FOUND, or VAULT_KEY_WRONG for anything but the master key of this vault. */
  async openByVmk(vmk: Buffer | undefined, vault: VaultIdentity): Promise<Buffer> {
    const wrapped = await this.vaults.wrappedKey(vault);
    if (!vmk) throw new AppError('VAULT_KEY_WRONG');
    try {
      return unwrapByVmk(vmk, vault, wrapped);
    } catch (error) {
      throw error instanceof WrongKey ? new AppError('VAULT_KEY_WRONG') : error;
    }
  }

  async #openByDvak(key: Buffer | undefined, vault: VaultIdentity, userId: string | null): Promise<Opened> {
    await this.vaults.wrappedKey(vault); // an unknown vault is unknown whatever the key
    const dvak = key && (await this.dvaks.findActive(lookupHash('dvak', key), vault.accountId));
    if (!dvak) throw new AppError('DVAK_INVALID');
    const { dvakId, authorizedUserId, accessLevel } = dvak.terms;
    if (authorizedUserId !== null && authorizedUserId !== userId) throw new AppError('DVAK_OF_ANOTHER_USER');
    if (dvak.vaultId !== vault.vaultId) throw new AppError('VAULT_KEY_WRONG');
    const vaultKey = unwrapByDvak(key, vault, dvak.terms, dvak.wrappedKey);
    // A legacy key has no level and may do both (DVK-14).
    return { vaultKey, dvakId, authorizedUserId, accessLevel: accessLevel ?? 'read_write' };
  }
}

const master = { accessLevel: 'read_write', dvakId: null, authorizedUserId: null } as const;
