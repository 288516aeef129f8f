export { vaults } from '../../../../apps/vaults/src/service-definition.js';
