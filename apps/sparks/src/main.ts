import { runService } from '@vaultsvc/service';
import { sparks } from './service-definition.js';

await runService(sparks);
