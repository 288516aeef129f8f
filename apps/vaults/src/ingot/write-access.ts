import { Inject, Injectable } from '@nestjs/common';
import type { VaultContext } from '@vaultsvc/contracts';
import type { Queryable } from '@vaultsvc/database';
import { assertMayWrite } from '../folder/may-write.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { SessionRepository } from '../session/session.repository.js';
import { VaultAccess } from '../session/vault-access.js';

/** Keeps the caller's token from ending until the commit. */
export type Hold = (tx: Queryable) => Promise<void>;

/** For what changes a vault's ingots and needs no key: the token that allows it, checked first and held until the commit. */
@Injectable()
export class WriteAccess {
  constructor(
    @Inject(VaultAccess) private readonly access: VaultAccess,
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
  ) {}

  /** Throws what `VaultAccess.open` does; the hold throws what `SessionRepository.hold` does. */
  async check(vault: VaultIdentity, context: VaultContext): Promise<Hold> {
    assertMayWrite(context);
    const question = { vaultId: vault.vaultId, vat: context.vault.token, level: 'write' } as const;
    const { terms, vaultKey } = await this.access.open(question, context);
    vaultKey.fill(0);
    return (tx) => this.sessions.hold(tx, terms.vatId, vault);
  }
}
