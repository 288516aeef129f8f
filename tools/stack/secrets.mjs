import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { completeKeys } from '../provision/keys.mjs';
import { readTopology } from '../provision/topology.mjs';
import { kmsCallers } from './kms-callers.mjs';
import { readJson, writePrivateJson } from './private-files.mjs';
import { makePushKeys } from './push-keys.mjs';
import { redisUsers } from './servers/redis-access.mjs';
import { statefulServices } from './settings.mjs';

/**
 * @typedef {object} Secrets generated once per stack
 * @property {string} CURSOR_KEY 32 random bytes, base64
 * @property {string} CREDENTIAL_RECORD_KEY 32 random bytes, base64
 * @property {string} POOL_SNAPSHOT_KEY 32 random bytes, base64
 * @property {import('../provision/keys.mjs').Keys} keys of the messages between services
 * @property {string} nats_password of the user that inspects NATS
 * @property {string} postgres_password of the superuser
 * @property {Record<string, string>} database_passwords of each service's role
 * @property {Record<string, string>} database_owner_passwords of the roles that own the tables
 * @property {Record<string, string>} redis_passwords of the users of Redis
 * @property {Record<string, string>} kms_secrets of the callers of the KMS emulator
 * @property {Record<string, string>} apps secrets of the integrations at the emulated providers
 * @property {ReturnType<typeof makePushKeys>} push keys of push notifications to the local inbox
 */

/**
 * Reads the secrets of the stack, or generates them at its first start. Those that an earlier release did not have are
 * added.
 * @param {import('./settings.mjs').Settings['paths']} paths
 * @returns {Secrets}
 * @throws when the secrets are missing but there is data encrypted or protected by them
 */
export function loadSecrets(paths) {
  const known = readJson(paths.secrets);
  if (!known && existsSync(paths.postgres)) {
    throw new Error(
      `${paths.secrets} is missing, and the data beside it needs it. Restore it, or delete the data with: npm start -- --fresh`,
    );
  }
  const secrets = withKnown(makeSecrets(), known ?? {});
  if (!isDeepStrictEqual(secrets, known)) writePrivateJson(paths.secrets, secrets);
  return secrets;
}

/**
 * @param {Secrets} made
 * @param {Partial<Secrets>} known
 * @returns {Secrets}
 */
function withKnown(made, known) {
  const merged = Object.entries({ ...made, ...known }).map(([name, value]) => {
    const fresh = made[/** @type {keyof Secrets} */ (name)];
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

/** @returns {Secrets} */
function makeSecrets() {
  const key = () => randomBytes(32).toString('base64');
  const password = () => randomBytes(24).toString('base64url');
  const passwords = (/** @type {readonly string[]} */ names) =>
    Object.fromEntries(names.map((name) => [name, password()]));
  return {
    CURSOR_KEY: key(),
    CREDENTIAL_RECORD_KEY: key(),
    POOL_SNAPSHOT_KEY: key(),
    keys: completeKeys(readTopology()),
    nats_password: password(),
    postgres_password: password(),
    database_passwords: passwords(statefulServices),
    database_owner_passwords: passwords(statefulServices),
    redis_passwords: passwords(redisUsers),
    kms_secrets: passwords(Object.keys(kmsCallers)),
    apps: passwords(appSecrets),
    push: makePushKeys(),
  };
}
