export { CreatedVault, createVault, NewVault } from './create-vault.js';
export * from './events.js';
export { listVaults, VaultPage, VaultQuery } from './list-vaults.js';
export { openVaultSession, VaultSession, VaultSessionQuestion } from './open-session.js';
export { readVault, Vault } from './read-vault.js';
export { UpdatedVault, updateVault, VaultChange } from './update-vault.js';
export { VaultParams, VaultSummary, vaultStatuses, type VaultStatus } from './vault.js';
