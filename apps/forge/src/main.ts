import { runService } from '@vaultsvc/service';
import { forge } from './forge.service.js';

await runService(forge);
