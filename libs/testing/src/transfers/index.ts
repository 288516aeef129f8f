export { startTransfers, type Transfers } from './transfers.js';
