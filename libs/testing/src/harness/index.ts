export { accountContext, deadlineIn } from './contexts.js';
export { genericPlanOf } from './generic-plan.js';
export { startHarness, type Harness } from './harness.js';
export { lockWaiters } from './lock-waiters.js';
export { publishFrom } from './publish-from.js';
export { readReason, reasonOf } from './reason-of.js';
export { rowsOf } from './rows.js';
export { stopSchedule } from './stop-schedule.js';
export { urlOf } from './url-of.js';
