import { dirname, join } from 'node:path';
import { letHeapGrow } from '@vaultsvc/app-forge/heap-growth';
import { runServices } from '@vaultsvc/service/all';
import { services } from './services.js';

// Beside this program's folder are those of the services, and the packages that the gateway serves. The web application is where the
// gateway looks for it, because both programs are equally deep.
const INSTALL_FOLDER = join(dirname(process.argv[1] ?? ''), '../../gateway/dist/install');

letHeapGrow();
await runServices('all', services, { INSTALL_FOLDER });
