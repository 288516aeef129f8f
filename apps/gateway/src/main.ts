import { runService } from '@vaultsvc/service';
import { gateway } from './service-definition.js';

await runService(gateway);
