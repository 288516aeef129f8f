export type { Check } from './check.js';
export type { CheckedService } from './checked-service.js';
export { runCheck } from './run-check.js';
