import { runCommand } from '@vaultsvc/config';
import { createFirstAccount, readArguments } from './first-account.js';

// The only program that prints a secret: the API key of the account that it creates, once (OPEN-62).
await runCommand(async () => {
  const account = await createFirstAccount(readArguments(process.argv.slice(2)));
  process.stdout.write(`${JSON.stringify(account)}\n`);
});
