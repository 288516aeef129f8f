import { runService } from '@vaultsvc/service';
import { forge } from './service-definition.js';

await runService(forge);
