import { runService } from '@vaultsvc/service';
import { auth } from './service-definition.js';

await runService(auth);
