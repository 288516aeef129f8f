/** Shared files: vaults with the services behind it, and the content that visitors receive. */
export {
  startSharingPlatform,
  type SharingPlatform,
  type SharingFixture,
} from '../../../apps/vaults/src/testing/sharing.js';
export { readContent } from '../../../apps/vaults/src/testing/uploads.js';
