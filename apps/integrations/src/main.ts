import { runService } from '@vaultsvc/service';
import { integrations } from './service-definition.js';

await runService(integrations);
