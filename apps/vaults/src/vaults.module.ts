import { Module } from '@nestjs/common';
import { AccountUsers } from './dvak/account-users.js';
import { CreateDvak } from './dvak/create-dvak.handler.js';
import { DvakRepository } from './dvak/dvak.repository.js';
import { ListDvaks } from './dvak/list-dvaks.handler.js';
import { OnUsersRemoved } from './dvak/on-users-removed.consumer.js';
import { RevocationRepository } from './dvak/revocation.repository.js';
import { RevokeDvak } from './dvak/revoke-dvak.handler.js';
import { DeleteVault } from './removal/delete-vault.handler.js';
import { RemovalRepository } from './removal/removal.repository.js';
import { RemoveVaults } from './removal/remove-vaults.job.js';
import { ForgetTokens } from './session/forget-tokens.job.js';
import { OpenVaultSession } from './session/open-session.handler.js';
import { SealVault } from './session/seal-vault.handler.js';
import { SessionRepository } from './session/session.repository.js';
import { UnsealVault } from './session/unseal-vault.handler.js';
import { VaultAccess } from './session/vault-access.js';
import { VaultOpener } from './session/vault-opener.js';
import { CreateVault } from './vault/create-vault.handler.js';
import { ListVaults } from './vault/list-vaults.handler.js';
import { ReadVault } from './vault/read-vault.handler.js';
import { UpdateVault } from './vault/update-vault.handler.js';
import { VaultRepository } from './vault/vault.repository.js';

@Module({
  providers: [
    VaultRepository,
    SessionRepository,
    DvakRepository,
    RevocationRepository,
    AccountUsers,
    RemovalRepository,
    VaultOpener,
    VaultAccess,
    CreateVault,
    ListVaults,
    ReadVault,
    UpdateVault,
    DeleteVault,
    UnsealVault,
    SealVault,
    OpenVaultSession,
    CreateDvak,
    ListDvaks,
    RevokeDvak,
    OnUsersRemoved,
    ForgetTokens,
    RemoveVaults,
  ],
})
export class VaultsModule {}
