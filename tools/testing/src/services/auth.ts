export { auth } from '../../../../apps/auth/src/auth.service.js';
