import { runService } from '@vaultsvc/service';
import { sparks } from './sparks.service.js';

await runService(sparks);
