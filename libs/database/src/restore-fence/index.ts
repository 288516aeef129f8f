export { applyRestoreFence, type FenceReport, type FenceStep, type RestoreFence } from './restore-fence.js';
export { runRestoreFence } from './run-restore-fence.js';
