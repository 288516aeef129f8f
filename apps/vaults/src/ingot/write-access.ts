import { Injectable } from '@nestjs/common';
import type { VaultContext } from '@vaultsvc/contracts';
import type { Queryable } from '@vaultsvc/database';
import { assertMayWrite } from '../session/may-write.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { SessionRepository } from '../session/session.repository.js';
import { VaultAccess } from '../session/vault-access.js';

/** Keeps the caller's token from ending until the commit. */
export type Hold = (tx: Queryable) => Promise<void>;

/** A vault that is open for a change, and what holds the token that opened it. */
export interface WritableVault {
  /** The caller fills it with 0 when done. */
  readonly vaultKey: Buffer;
  readonly hold: Hold;
}

/** For what changes a vault's ingots: the token that allows it, checked first and held until the commit. */
@Injectable()
export class WriteAccess {
  constructor(
    private readonly access: VaultAccess,
    private readonly sessions: SessionRepository,
  ) {}

  /** Throws what `VaultAccess.open` does; the hold throws what `SessionRepository.hold` does. */
  async open(vault: VaultIdentity, context: VaultContext): Promise<WritableVault> {
    assertMayWrite(context);
    const question = { vaultId: vault.vaultId, vat: context.vault.token, level: 'write' } as const;
    const { terms, vaultKey } = await this.access.open(question, context);
    return { vaultKey, hold: (tx) => this.sessions.hold(tx, terms.vatId, vault) };
  }

  /** As `open`, for what needs no key. */
  async check(vault: VaultIdentity, context: VaultContext): Promise<Hold> {
    const { vaultKey, hold } = await this.open(vault, context);
    vaultKey.fill(0);
    return hold;
  }
}
