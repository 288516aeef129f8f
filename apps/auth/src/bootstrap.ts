import { createFirstAccount, readArguments, UsageError } from './first-account.js';

// The only program that prints a secret: the API key of the account that it creates, once (OPEN-62).
try {
  const account = await createFirstAccount(readArguments(process.argv.slice(2)));
  process.stdout.write(`${JSON.stringify(account)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
