export type { Check } from './check.js';
export { runCheck, type CheckedService } from './run-check.js';
