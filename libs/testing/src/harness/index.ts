export { accountContext, deadlineIn } from './contexts.js';
export { startHarness, type Harness } from './harness.js';
