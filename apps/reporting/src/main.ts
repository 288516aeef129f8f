import { runService } from '@vaultsvc/service';
import { reporting } from './service-definition.js';

await runService(reporting);
