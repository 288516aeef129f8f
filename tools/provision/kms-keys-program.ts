import { runKmsKeys } from './kms-keys.js';

process.exitCode = await runKmsKeys(process.argv.slice(2));
