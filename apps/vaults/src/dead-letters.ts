import { runDeadLetters } from '@vaultsvc/messaging/dead-letters';
import { storage } from './storage.js';

await runDeadLetters('vaults', storage);
