import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { nkeyAuthenticator, nkeys } from '@nats-io/transport-node';
import { nkeyLogin } from './nkey-login.js';

describe('OPEN-51: the login of a service at NATS', () => {
  it('is that of the library: the public key, and the signature of the nonce', () => {
    for (let round = 0; round < 20; round++) {
      const seed = Buffer.from(nkeys.createUser().getSeed());
      const nonce = randomBytes(11).toString('base64url');
      const login = nkeyLogin(seed.toString());
      expect(login(nonce)).toEqual(nkeyAuthenticator(seed)(nonce));
      expect(login()).toEqual(nkeyAuthenticator(seed)());
    }
  });

  it('is refused with a seed that has a wrong character', () => {
    for (let round = 0; round < 20; round++) {
      const seed = Buffer.from(nkeys.createUser().getSeed()).toString();
      const wrong = `${seed.slice(0, 20)}${seed[20] === 'A' ? 'B' : 'A'}${seed.slice(21)}`;
      expect(() => nkeyLogin(wrong)).toThrow();
    }
  });
});
