import { describe, expect, it } from '@jest/globals';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { InvalidReceipt, verifyReceipt, type KeySet } from './verify-receipt.js';

const { privateKey, publicKey } = await generateKeyPair('EdDSA');
const jwk = await exportJWK(publicKey);
const kid = await calculateJwkThumbprint(jwk);
const keys = { keys: [{ ...jwk, kid, alg: 'EdDSA', use: 'sig' }] } as KeySet;
const claims = { iss: 'https://api.example.com', jti: 'rcp_1', action: 'approve', note: 'ü€😀' };

const sign = (header: object = {}, more: object = {}) =>
  new CompactSign(new TextEncoder().encode(JSON.stringify({ ...claims, ...more })))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'receipt+jwt', kid, ...header })
    .sign(privateKey);

describe('The verification of a receipt', () => {
  it('SDK-10: returns the claims of one that a key of the set has signed', async () => {
    expect(await verifyReceipt(await sign(), keys, { issuer: claims.iss })).toEqual(claims);
  });

  it.each(['a'.repeat(64), null])(
    'OPEN-64: shows version, size and content hash of a file: %s',
    async (content_hash) => {
      const bound = {
        asset_id: 'ing_1',
        vault_id: 'vlt_1',
        version_id: 'ver_1',
        size_bytes: 5,
        content_hash,
      };
      const { asset_id, vault_id, version_id, size_bytes, ...rest } = await verifyReceipt(
        await sign({}, bound),
        keys,
      );
      expect({ asset_id, vault_id, version_id, size_bytes, content_hash: rest.content_hash }).toEqual(bound);
    },
  );

  it('SDK-10: refuses one with any changed character', async () => {
    const jws = await sign();
    for (const index of [...jws].keys()) {
      // Decoding ignores four bits of the last character.
      if (index === jws.length - 1) continue;
      const changed = jws.slice(0, index) + (jws[index] === 'A' ? 'B' : 'A') + jws.slice(index + 1);
      await expect(verifyReceipt(changed, keys)).rejects.toBeInstanceOf(InvalidReceipt);
    }
  });

  it.each([
    ['an access token', { typ: 'at+jwt' }],
    ['one of an unknown key', { kid: 'other' }],
  ])('SDK-10: refuses %s', async (_, header) => {
    await expect(verifyReceipt(await sign(header), keys)).rejects.toBeInstanceOf(InvalidReceipt);
  });

  it.each(['', 'a.b', '..', 'a.b.c.d', '€.€.€'])('SDK-10: refuses %j', async (text) => {
    await expect(verifyReceipt(text, keys)).rejects.toBeInstanceOf(InvalidReceipt);
  });

  it('SDK-10: refuses one of another issuer', async () => {
    const call = verifyReceipt(await sign(), keys, { issuer: 'https://other.example' });
    await expect(call).rejects.toThrow('The issuer is https://api.example.com, not https://other.example.');
  });
});
