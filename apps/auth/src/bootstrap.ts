import { createFirstAccount, readArguments, UsageError } from './accounts/first-account.js';

// The one program that prints a secret: the key of the account it makes, to whoever runs it, once (OPEN-62).
try {
  const account = await createFirstAccount(readArguments(process.argv.slice(2)));
  process.stdout.write(`${JSON.stringify(account)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
