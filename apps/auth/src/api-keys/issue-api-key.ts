import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, mintToken, preview } from '@vaultsvc/crypto/tokens';
import type { Queryable } from '@vaultsvc/database';
import type { ApiKeyRepository, ApiKeyTimes } from './api-key.repository.js';

export interface ApiKeyRequest {
  readonly accountId: string;
  /** The user or API key that creates it. */
  readonly createdBy: string;
  readonly name: string;
  /** null: never. */
  readonly expiresInDays: number | null;
}

export interface IssuedApiKey extends ApiKeyTimes {
  readonly id: string;
  /** The secret key, returned once and never stored. */
  readonly text: string;
  readonly preview: string;
}

/** Generates a key and stores its hash. */
export async function issueApiKey(
  repository: ApiKeyRepository,
  tx: Queryable,
  request: ApiKeyRequest,
): Promise<IssuedApiKey> {
  const token = mintToken('apikey');
  try {
    const key = { id: newId('key_'), preview: preview('apikey', token.text) };
    const times = await repository.insert(tx, {
      ...request,
      ...key,
      lookup: lookupHash('apikey', token.bytes),
    });
    return { ...key, ...times, text: token.text };
  } finally {
    token.bytes.fill(0);
  }
}
