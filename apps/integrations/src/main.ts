import { runService } from '@vaultsvc/service';
import { integrations } from './integrations.service.js';

await runService(integrations);
