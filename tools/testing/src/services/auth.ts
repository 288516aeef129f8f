export { auth } from '../../../../apps/auth/src/service-definition.js';
