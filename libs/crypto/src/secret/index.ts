export { Secret } from './secret.js';
