import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { completeKeys } from '../provision/keys.mjs';
import { readTopology } from '../provision/topology.mjs';
import { readJson, writePrivateJson } from './private-files.mjs';
import { statefulServices } from './settings.mjs';

/**
 * @typedef {object} Secrets generated once per stack
 * @property {string} CURSOR_KEY 32 random bytes, base64
 * @property {import('../provision/keys.mjs').Keys} keys of the messages between services
 * @property {string} nats_password of the user that inspects NATS
 * @property {string} postgres_password of the superuser
 * @property {Record<string, string>} database_passwords of each service's role
 */

/**
 * Reads the secrets of the stack, or generates them at its first start.
 * @param {import('./settings.mjs').Settings['paths']} paths
 * @returns {Secrets}
 * @throws when the secrets are missing but there is data encrypted or protected by them
 */
export function loadSecrets(paths) {
  const known = readJson(paths.secrets);
  if (known) return withNewKeys(paths, known);
  if (existsSync(paths.postgres)) {
    throw new Error(
      `${paths.secrets} is missing, and the data beside it needs it. Restore it, or delete the data with: npm start -- --fresh`,
    );
  }
  const secrets = makeSecrets();
  writePrivateJson(paths.secrets, secrets);
  return secrets;
}

/**
 * Adds what a newer release needs: keys of new edges between services, and secrets that did not exist.
 * @param {import('./settings.mjs').Settings['paths']} paths
 * @param {Secrets} known
 */
function withNewKeys(paths, known) {
  const secrets = { ...makeSecrets(), ...known, keys: completeKeys(readTopology(), known.keys) };
  if (JSON.stringify(secrets) !== JSON.stringify(known)) writePrivateJson(paths.secrets, secrets);
  return secrets;
}

/** @returns {Secrets} */
function makeSecrets() {
  const key = () => randomBytes(32).toString('base64');
  const password = () => randomBytes(24).toString('base64url');
  return {
    CURSOR_KEY: key(),
    keys: completeKeys(readTopology()),
    nats_password: password(),
    postgres_password: password(),
    database_passwords: Object.fromEntries(statefulServices.map((name) => [name, password()])),
  };
}
