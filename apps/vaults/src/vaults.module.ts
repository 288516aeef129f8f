import { Module } from '@nestjs/common';
import { CreateVault } from './vault/create-vault.handler.js';
import { ListVaults } from './vault/list-vaults.handler.js';
import { ReadVault } from './vault/read-vault.handler.js';
import { UpdateVault } from './vault/update-vault.handler.js';
import { VaultRepository } from './vault/vault.repository.js';

@Module({
  providers: [VaultRepository, CreateVault, ListVaults, ReadVault, UpdateVault],
})
export class VaultsModule {}
