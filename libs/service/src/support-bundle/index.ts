export { runSupportBundle } from './run-support-bundle.js';
