import { runRewrap } from '@vaultsvc/service/rewrap';
import { rewrap } from './rewrap-tables.js';

await runRewrap(rewrap);
