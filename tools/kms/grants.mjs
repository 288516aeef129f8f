import { readFileSync, statSync } from 'node:fs';
import { KmsError } from './kms-error.mjs';
import { verifySignature } from './signature.mjs';

/**
 * @typedef {object} Grant what a caller may do
 * @property {readonly string[]} keys aliases of the keys that it may use
 * @property {boolean} [random] whether it may call GenerateRandom, which has no key
 */

/**
 * The grants of the services, as the IAM policies of a deployment have them (`deploy/README.md`).
 * @type {Readonly<Record<string, Grant>>}
 */
export const serviceGrants = {
  auth: { keys: ['alias/vk-root'] },
  integrations: { keys: ['alias/vk-root'] },
  notify: { keys: ['alias/vk-root'] },
  sparks: { keys: ['alias/vk-root'], random: true },
  vaults: { keys: ['alias/vk-system'] },
};

/** The callers of the emulator, by access key id, from a file of mode 0600: `{ "<id>": { secret, keys, random } }`. */
export class Grants {
  #callers;

  /** @param {Record<string, Grant & { secret: string }>} callers */
  constructor(callers) {
    this.#callers = new Map(Object.entries(callers));
  }

  /**
   * @param {string} file
   * @throws when other users may read the file, or it is not JSON
   */
  static open(file) {
    if ((statSync(file).mode & 0o077) !== 0)
      throw new Error(`${file} is readable by other users: chmod 600 it`);
    return new Grants(JSON.parse(readFileSync(file, 'utf8')));
  }

  /**
   * @param {import('./signature.mjs').SignedRequest} request
   * @param {Buffer} body
   * @returns {Grant} of the caller who signed the request
   * @throws KmsError
   */
  of(request, body) {
    const id = verifySignature(request, body, (accessKeyId) => this.#callers.get(accessKeyId)?.secret);
    return /** @type {Grant} */ (this.#callers.get(id));
  }
}

/**
 * @param {Grant} grant
 * @param {string} [alias] of the key; none for GenerateRandom
 * @throws KmsError
 */
export function assertGranted({ keys, random = false }, alias) {
  if (alias === undefined ? !random : !keys.includes(alias)) throw new KmsError('AccessDeniedException');
}
