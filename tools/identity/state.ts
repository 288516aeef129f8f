import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { readJson, writePrivateJson } from '../stack/private-files.ts';

export type State = { version: 1; signing_key: JWK; cookie_key: string };

/** The signature algorithm of ID tokens. */
export const signingAlgorithm = 'ES256';

/**
 * Reads the provider's keys from a file of mode 0600, which is created at the first start, so that tokens remain valid
 * after a restart.
 * @throws when other users may read the file, or it has another format
 */
export async function openState(file: string): Promise<State> {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writePrivateJson(file, await newState());
  }
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Error(`${file} is readable by other users: chmod 600 it`);
  const state = readJson<State>(file);
  if (state?.version !== 1 || !state.signing_key || !state.cookie_key)
    throw new Error(`${file} is not a key file of this identity provider`);
  return state;
}

async function newState(): Promise<State> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: signingAlgorithm, use: 'sig' };
  return { version: 1, signing_key: jwk, cookie_key: randomBytes(32).toString('base64url') };
}
