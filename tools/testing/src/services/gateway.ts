export { gateway } from '../../../../apps/gateway/src/service-definition.js';
