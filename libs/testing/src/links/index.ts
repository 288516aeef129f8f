export { startLinks } from './links.js';
