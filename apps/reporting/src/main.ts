import { runService } from '@vaultsvc/service';
import { reporting } from './reporting.service.js';

await runService(reporting);
