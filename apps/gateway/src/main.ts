import { runService } from '@vaultsvc/service';
import { gateway } from './gateway.service.js';

await runService(gateway);
