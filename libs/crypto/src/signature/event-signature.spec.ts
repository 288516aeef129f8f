import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, verify } from 'node:crypto';
import { lengthPrefixed } from '../encoding/index.js';
import { EventSigner, EventVerifier } from './index.js';

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { d = '' } = privateKey.export({ format: 'jwk' });
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { signer: new EventSigner(Buffer.from(d, 'base64url')), publicKey: Buffer.from(x, 'base64url') };
}

const { signer, publicKey } = keyPair();
const data = Buffer.from('[{"name":"sparks.created"}]');
const subject = 'evt.sparks.reporting';
const signature = signer.sign(subject, data);

describe('The signature of events', () => {
  it('is Ed25519: 64 bytes, the same for the same events', () => {
    expect(signature).toMatch(/^[A-Za-z0-9_-]{86}$/);
    expect(signer.sign(subject, data)).toBe(signature);
    expect(new EventVerifier([publicKey]).verify(subject, data, signature)).toBe(true);
  });

  it('covers its label, the subject and the data, each with its length', () => {
    const { privateKey, publicKey: own } = generateKeyPairSync('ed25519');
    const { d = '' } = privateKey.export({ format: 'jwk' });
    const given = new EventSigner(Buffer.from(d, 'base64url')).sign(subject, data);
    const signed = lengthPrefixed('vk/v1/events', subject, data);
    expect(verify(null, signed, own, Buffer.from(given, 'base64url'))).toBe(true);
  });

  it('is refused for other data, another consumer, another publisher, and when it is missing or cut', () => {
    const verifier = new EventVerifier([publicKey]);
    expect(verifier.verify(subject, Buffer.from('[{"name":"sparks.deleted"}]'), signature)).toBe(false);
    expect(verifier.verify('evt.sparks.vaults', data, signature)).toBe(false);
    expect(verifier.verify(subject, data, keyPair().signer.sign(subject, data))).toBe(false);
    for (const broken of [undefined, '', signature.slice(2), `${signature.slice(0, -4)}AAAA`])
      expect(verifier.verify(subject, data, broken)).toBe(false);
  });

  it('is valid under both keys during a rotation', () => {
    const next = keyPair();
    const rotating = new EventVerifier([next.publicKey, publicKey]);
    expect(rotating.verify(subject, data, signature)).toBe(true);
    expect(rotating.verify(subject, data, next.signer.sign(subject, data))).toBe(true);
  });
});
