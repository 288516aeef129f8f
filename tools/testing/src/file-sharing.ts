/** Vaults whose files are shared, with all the services that it takes, and what visitors are given of them. */
export {
  startSharingPlatform,
  type SharingPlatform,
  type SharingShelf,
} from '../../../apps/vaults/src/testing/sharing.js';
export { readContent } from '../../../apps/vaults/src/testing/uploads.js';
