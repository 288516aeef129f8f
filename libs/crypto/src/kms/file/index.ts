export {
  newKeys,
  openKeysFile,
  passphraseOf,
  retired,
  rotated,
  sealKeysFile,
  writeKeysFile,
  type NamedVersions,
} from './keys-file.js';
