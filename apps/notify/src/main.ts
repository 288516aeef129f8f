import { runService } from '@vaultsvc/service';
import { notify } from './service-definition.js';

await runService(notify);
