import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { completeKeys, newNKey, type Keys, type NKey } from '../provision/keys.ts';
import { readTopology } from '../provision/topology.ts';
import { kmsCallers } from './kms-callers.ts';
import { readJson, writePrivateJson } from './private-files.ts';
import { makePushKeys } from './push-keys.ts';
import { redisUsers } from './servers/redis-access.ts';
import { statefulServices, type Settings } from './settings.ts';

/** Generated once per stack. */
export interface Secrets {
  /** 32 random bytes, base64. */
  CURSOR_KEY: string;
  /** 32 random bytes, base64. */
  CREDENTIAL_RECORD_KEY: string;
  /** 32 random bytes, base64. */
  POOL_SNAPSHOT_KEY: string;
  /** Of the messages between services. */
  keys: Keys;
  /** Of the user that inspects NATS. */
  nats_password: string;
  /** Of the administrator of NATS, as a deployment has one. */
  nats_administrator: NKey;
  /** Of the superuser. */
  postgres_password: string;
  /** Of each service's role. */
  database_passwords: Record<string, string>;
  /** Of the roles that own the tables. */
  database_owner_passwords: Record<string, string>;
  /** Of the users of Redis. */
  redis_passwords: Record<string, string>;
  /** Of the callers of the KMS emulator. */
  kms_secrets: Record<string, string>;
  /** Secrets of the integrations at the emulated providers. */
  apps: Record<string, string>;
  /** Keys of push notifications to the local inbox. */
  push: ReturnType<typeof makePushKeys>;
}

/**
 * Reads the secrets of the stack, or generates them at its first start. Those that an earlier release did not have are
 * added.
 * @throws when the secrets are missing but there is data encrypted or protected by them
 */
export function loadSecrets(paths: Settings['paths']): Secrets {
  const known = readJson<Partial<Secrets>>(paths.secrets);
  if (!known && existsSync(paths.postgres)) {
    throw new Error(
      `${paths.secrets} is missing, and the data beside it needs it. Restore it, or delete the data with: npm start -- --fresh`,
    );
  }
  const secrets = withKnown(makeSecrets(), known ?? {});
  if (!isDeepStrictEqual(secrets, known)) writePrivateJson(paths.secrets, secrets);
  return secrets;
}

function withKnown(made: Secrets, known: Partial<Secrets>): Secrets {
  const merged = Object.entries({ ...made, ...known }).map(([name, value]) => {
    const fresh = made[name as keyof Secrets];
    return [name, typeof value === 'object' && typeof fresh === 'object' ? { ...fresh, ...value } : value];
  });
  return { ...Object.fromEntries(merged), keys: completeKeys(readTopology(), known.keys) };
}

/** Settings of integrations that are secrets. */
const appSecrets = [
  'CHATAPP_CLIENT_SECRET',
  'CHATAPP_SIGNING_SECRET',
  'CRMA_CLIENT_SECRET',
  'CRMB_CLIENT_SECRET',
  'CRMB_SESSION_SECRET',
];

function makeSecrets(): Secrets {
  const key = () => randomBytes(32).toString('base64');
  const password = () => randomBytes(24).toString('base64url');
  const passwords = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, password()]));
  return {
    CURSOR_KEY: key(),
    CREDENTIAL_RECORD_KEY: key(),
    POOL_SNAPSHOT_KEY: key(),
    keys: completeKeys(readTopology()),
    nats_password: password(),
    nats_administrator: newNKey(),
    postgres_password: password(),
    database_passwords: passwords(statefulServices),
    database_owner_passwords: passwords(statefulServices),
    redis_passwords: passwords(redisUsers),
    kms_secrets: passwords(Object.keys(kmsCallers)),
    apps: passwords(appSecrets),
    push: makePushKeys(),
  };
}
