import { runService } from '@vaultsvc/service';
import { vaults } from './vaults.service.js';

await runService(vaults);
