/** Services that a spec of another one starts beside its own, where it needs them to be there. */
export { auth } from '../../../../apps/auth/src/auth.service.js';
