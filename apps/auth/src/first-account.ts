import {
  DatabaseConfig,
  eachShardOnce,
  loadServiceConfig,
  parseCommandLine,
  Setting,
  shardNumbers,
  UsageError,
} from '@vaultsvc/config';
import { AppError, identityKey, isEmail } from '@vaultsvc/contracts';
import { apiKeyCreated } from '@vaultsvc/contracts/auth';
import { createDataSource, Database, hasPendingMigrations } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { ApiKeyRepository } from './api-keys/api-key.repository.js';
import { issueApiKey } from './api-keys/issue-api-key.js';
import { storage } from './storage.js';
import { UserRepository } from './users/user.repository.js';
import { AccountRepository } from './accounts/account.repository.js';

const USAGE = 'Usage: node bootstrap.js --email <address of the owner> --organization <name>';
/** The owner has not signed in yet: whoever runs the command makes the key (OPEN-28). */
const OPERATOR = { kind: 'operator', id: 'bootstrap' } as const;
const ORGANIZATION_CHARACTERS_MAX = 255;
const CONTROL = /\p{Cc}/u;

/** The database, and the shards that a new account may get. */
class FirstAccountConfig extends DatabaseConfig {
  @Setting(shardNumbers, 'Shards of new accounts, as in the service.', eachShardOnce)
  ACCOUNT_SHARDS: readonly number[] = [0];
}

export interface FirstAccountRequest {
  readonly email: string;
  readonly organization: string;
}

/** The result, which `npm start` stores in stack.json. */
export interface FirstAccount {
  readonly account_id: string;
  readonly organization_name: string;
  readonly owner_email: string;
  readonly api_key: string;
}

/** @throws UsageError */
export function readArguments(args: readonly string[]): FirstAccountRequest {
  const options = { email: { type: 'string' }, organization: { type: 'string' } } as const;
  const { email, organization } = parseCommandLine({ args: [...args], options }, USAGE).values;
  if (!email || !isEmail(email)) throw new UsageError('--email must be an e-mail address.', USAGE);
  const name = organization?.trim() ?? '';
  if (name === '' || [...name].length > ORGANIZATION_CHARACTERS_MAX || CONTROL.test(name)) {
    throw new UsageError(
      `--organization must have 1 to ${ORGANIZATION_CHARACTERS_MAX} printable characters.`,
      USAGE,
    );
  }
  return { email, organization: name };
}

/**
 * Creates an account, its owner (`invited` until the first sign-in) and its first API key. Needs PostgreSQL only; the events
 * stay in the outbox until the service runs.
 * @throws ConfigError, EMAIL_TAKEN
 */
export async function createFirstAccount(request: FirstAccountRequest): Promise<FirstAccount> {
  const config = loadServiceConfig('auth', FirstAccountConfig);
  const source = await createDataSource(config, storage).initialize();
  try {
    if (await hasPendingMigrations(source))
      throw new Error('The schema has pending migrations; run the migrate job first.');
    return await insertAccount(new Database(source), request, config);
  } finally {
    await source.destroy();
  }
}

function insertAccount(
  database: Database,
  { email, organization }: FirstAccountRequest,
  config: FirstAccountConfig,
): Promise<FirstAccount> {
  const outbox = new Outbox('auth');
  const accounts = new AccountRepository(outbox, config);
  return database.transaction(async (tx) => {
    if (await new UserRepository(database).isRegistered(tx, identityKey(email)))
      throw new AppError('EMAIL_TAKEN');
    const accountId = await accounts.createAccount(tx, organization);
    const owner = { email, role: 'owner', seat: 'full', status: 'invited', joinsAtSignIn: true } as const;
    const createdBy = await accounts.addUser(tx, accountId, owner);
    const request = { accountId, createdBy, name: 'First key', expiresInDays: null };
    const key = await issueApiKey(new ApiKeyRepository(database), tx, request);
    await outbox.publish(
      tx,
      apiKeyCreated,
      { account_id: accountId, api_key_id: key.id, actor_id: createdBy, actor: OPERATOR },
      null,
    );
    return { account_id: accountId, organization_name: organization, owner_email: email, api_key: key.text };
  });
}
