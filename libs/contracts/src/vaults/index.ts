export { CreatedDvak, createDvak, NewDvak } from './create-dvak.js';
export { createFolder, NewFolder } from './create-folder.js';
export { CreatedVault, createVault, NewVault } from './create-vault.js';
export { DeletedVault, deleteVault } from './delete-vault.js';
export { deleteFolder } from './delete-folder.js';
export { Dvak } from './dvak.js';
export * from './events.js';
export * from './folder-events.js';
export { Folder, FOLDER_LEVELS_MAX, FOLDER_NAME_MAX, FolderParams } from './folder.js';
export { DvakPage, DvakQuery, listDvaks } from './list-dvaks.js';
export { FolderPage, FolderQuery, listFolders } from './list-folders.js';
export { listVaults, VaultPage, VaultQuery } from './list-vaults.js';
export { openVaultSession, VaultSession, VaultSessionQuestion } from './open-session.js';
export { readFolder } from './read-folder.js';
export { readVault, Vault } from './read-vault.js';
export { DvakParams, RevokedDvak, revokeDvak } from './revoke-dvak.js';
export { sealVault } from './seal-vault.js';
export {
  UnsealedVault,
  Unsealing,
  unsealVault,
  VAT_SECONDS_DEFAULT,
  VAT_SECONDS_MAX,
} from './unseal-vault.js';
export { FolderChange, updateFolder } from './update-folder.js';
export { UpdatedVault, updateVault, VaultChange } from './update-vault.js';
export { VaultParams, VaultSummary, vaultStatuses, type VaultStatus } from './vault.js';
