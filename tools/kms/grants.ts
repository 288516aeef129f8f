import { readFileSync, statSync } from 'node:fs';
import { KmsError } from './kms-error.ts';
import { verifySignature, type SignedRequest } from './signature.ts';

/** What a caller may do. */
export interface Grant {
  /** Aliases of the keys that it may use. */
  keys: readonly string[];
  /** Whether it may call GenerateRandom, which has no key. */
  random?: boolean;
}

/** The grants of the services, as the IAM policies of a deployment have them (`deploy/README.md`). */
export const serviceGrants: Readonly<Record<string, Grant>> = {
  auth: { keys: ['alias/vk-root'] },
  integrations: { keys: ['alias/vk-root'] },
  notify: { keys: ['alias/vk-root'] },
  sparks: { keys: ['alias/vk-root'], random: true },
  vaults: { keys: ['alias/vk-system'] },
};

/** The callers of the emulator, by access key id, from a file of mode 0600: `{ "<id>": { secret, keys, random } }`. */
export class Grants {
  #callers;

  constructor(callers: Record<string, Grant & { secret: string }>) {
    this.#callers = new Map(Object.entries(callers));
  }

  /** @throws when other users may read the file, or it is not JSON */
  static open(file: string) {
    if ((statSync(file).mode & 0o077) !== 0)
      throw new Error(`${file} is readable by other users: chmod 600 it`);
    return new Grants(JSON.parse(readFileSync(file, 'utf8')));
  }

  /**
   * @returns of the caller who signed the request
   * @throws KmsError
   */
  of(request: SignedRequest, body: Buffer): Grant {
    const id = verifySignature(request, body, (accessKeyId) => this.#callers.get(accessKeyId)?.secret);
    return this.#callers.get(id) as Grant;
  }
}

/**
 * @param alias of the key; none for GenerateRandom
 * @throws KmsError
 */
export function assertGranted({ keys, random = false }: Grant, alias?: string) {
  if (alias === undefined ? !random : !keys.includes(alias)) throw new KmsError('AccessDeniedException');
}
