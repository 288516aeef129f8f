import { runService } from '@vaultsvc/service';
import { letHeapGrow } from './heap-growth.js';
import { forge } from './service-definition.js';

letHeapGrow();
await runService(forge);
