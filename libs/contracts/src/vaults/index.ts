export { activateVersion, FinishedVersion, VersionActivation } from './activate-version.js';
export { CreatedDvak, createDvak, NewDvak } from './create-dvak.js';
export { createFolder, NewFolder } from './create-folder.js';
export { createIngot, NewIngot } from './create-ingot.js';
export { CreatedVault, createVault, NewVault } from './create-vault.js';
export { DeletedVault, deleteVault } from './delete-vault.js';
export { createStructured, NewStructured } from './create-structured.js';
export { deleteFolder } from './delete-folder.js';
export { deleteIngot } from './delete-ingot.js';
export { deleteStructured } from './delete-structured.js';
export { DownloadRequest, downloadIngot, IngotDownload } from './download-ingot.js';
export { Dvak } from './dvak.js';
export * from './events.js';
export * from './folder-events.js';
export { Folder, FOLDER_LEVELS_MAX, FOLDER_NAME_MAX, FolderParams } from './folder.js';
export { DvakPage, DvakQuery, listDvaks } from './list-dvaks.js';
export { FolderPage, FolderQuery, listFolders } from './list-folders.js';
export * from './ingot.js';
export * from './ingot-events.js';
export { IngotList, IngotListQuery, ingotSorts, listIngots, type IngotSort } from './list-ingots.js';
export * from './key-names.js';
export type { KeyValues } from './key-values.js';
export { listStructured, StructuredList, StructuredListQuery, StructuredSummary } from './list-structured.js';
export { listVaults, VaultPage, VaultQuery } from './list-vaults.js';
export { openVaultSession, VaultSession, VaultSessionQuestion } from './open-session.js';
export {
  EndedLink,
  endLink,
  LinkEnded,
  openSharedFile,
  SharedFile,
  SharedFileQuestion,
} from './open-shared-file.js';
export { readFolder } from './read-folder.js';
export { readIngot } from './read-ingot.js';
export {
  readStructured,
  StructuredQuery,
  StructuredReading,
  StructuredValue,
  VALUE_SECONDS_DEFAULT,
} from './read-structured.js';
export { readVault, Vault } from './read-vault.js';
export { DvakParams, RevokedDvak, revokeDvak } from './revoke-dvak.js';
export { IngotReplacement, replaceIngot } from './replace-ingot.js';
export { IngotFilters, IngotPage, IngotSearchQuery, searchIngots } from './search-ingots.js';
export { sealVault } from './seal-vault.js';
export * from './share-ingot.js';
export * from './sharing-events.js';
export * from './structured.js';
export * from './structured-events.js';
export {
  UnsealedVault,
  Unsealing,
  unsealVault,
  VAT_SECONDS_DEFAULT,
  VAT_SECONDS_MAX,
} from './unseal-vault.js';
export { FolderChange, updateFolder } from './update-folder.js';
export { IngotChange, updateIngot } from './update-ingot.js';
export { StructuredChange, updateStructured } from './update-structured.js';
export { UpdatedVault, updateVault, VaultChange } from './update-vault.js';
export { VaultParams, VaultSummary, vaultStatuses, type VaultStatus } from './vault.js';
export { UploadSourceParams, uploadThroughSource } from './upload-source.js';
export { VersionRef } from './version.js';
