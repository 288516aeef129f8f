export { identityTypeOf } from '../core/identity.js';
