import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readJson, writePrivateJson } from './private-files.mjs';
import { statefulServices } from './settings.mjs';

/**
 * @typedef {object} Secrets generated once per stack
 * @property {string} CURSOR_KEY 32 random bytes, base64
 * @property {string} CONTEXT_KEY 32 random bytes, base64
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
  if (known) return known;
  if (existsSync(paths.postgres)) {
    throw new Error(
      `${paths.secrets} is missing, and the data beside it needs it. Restore it, or delete the data with: npm start -- --fresh`,
    );
  }
  const secrets = makeSecrets();
  writePrivateJson(paths.secrets, secrets);
  return secrets;
}

/** @returns {Secrets} */
function makeSecrets() {
  const key = () => randomBytes(32).toString('base64');
  const password = () => randomBytes(24).toString('base64url');
  return {
    CURSOR_KEY: key(),
    CONTEXT_KEY: key(),
    postgres_password: password(),
    database_passwords: Object.fromEntries(statefulServices.map((name) => [name, password()])),
  };
}
