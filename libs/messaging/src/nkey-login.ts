import { nkeys, type Authenticator } from '@nats-io/transport-node';
import { Ed25519Signer } from '@vaultsvc/crypto/signature';

/** As the library's class has it; its public type leaves the method out. */
type SeededKeyPair = ReturnType<typeof nkeys.fromSeed> & { getRawSeed(): Uint8Array };

/**
 * Logs in to NATS by the seed of an NKey. The library's own authenticator derives the key three times for each connection, in
 * JavaScript: 25 to 45 ms, in which the process does nothing else.
 * @throws NKeysError for what is no seed
 */
export function nkeyLogin(seed: string): Authenticator {
  const pair = nkeys.fromSeed(Buffer.from(seed)) as SeededKeyPair;
  const nkey = pair.getPublicKey();
  const signer = new Ed25519Signer(Buffer.from(pair.getRawSeed()));
  return (nonce) => ({ nkey, sig: nonce ? nkeys.encode(signer.sign(Buffer.from(nonce))) : '' });
}
