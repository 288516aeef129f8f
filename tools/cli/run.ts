// npm run vaultsvc, npx vaultsvc: builds the CLI of this working copy and runs it.
import { pathToFileURL } from 'node:url';
import { buildCli, cliFile } from '../build/cli.ts';

await buildCli();
await import(pathToFileURL(cliFile).href);
