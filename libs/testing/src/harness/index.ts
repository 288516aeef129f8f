export { accountContext, deadlineIn } from './contexts.js';
export { startHarness, type Harness } from './harness.js';
export { readReason, reasonOf } from './reason-of.js';
export { rowsOf } from './rows.js';
