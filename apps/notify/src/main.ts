import { runService } from '@vaultsvc/service';
import { notify } from './notify.service.js';

await runService(notify);
