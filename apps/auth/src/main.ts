import { runService } from '@vaultsvc/service';
import { auth } from './auth.service.js';

await runService(auth);
