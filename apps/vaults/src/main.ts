import { runService } from '@vaultsvc/service';
import { vaults } from './service-definition.js';

await runService(vaults);
