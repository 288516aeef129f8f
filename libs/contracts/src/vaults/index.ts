export { openVaultSession, VaultSession, VaultSessionQuestion } from './open-session.js';
