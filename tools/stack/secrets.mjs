import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readJson, writePrivateJson } from './private-files.mjs';
import { statefulServices } from './settings.mjs';

/**
 * @typedef {object} Secrets made once per stack
 * @property {string} CURSOR_KEY 32 random bytes, base64
 * @property {string} CONTEXT_KEY 32 random bytes, base64
 * @property {string} postgres_password of the superuser
 * @property {Record<string, string>} database_passwords of each service's role
 */

/**
 * The stack's own secrets: read, or made on the first run.
 * @param {import('./settings.mjs').Settings['paths']} paths
 * @returns {Secrets}
 * @throws when there is data that only lost secrets open
 */
export function loadSecrets(paths) {
  const known = readJson(paths.secrets);
  if (known) return known;
  if (existsSync(paths.postgres)) {
    throw new Error(
      `${paths.secrets} is missing, and the data beside it needs it. Put it back, or begin anew with: npm start -- --fresh`,
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
