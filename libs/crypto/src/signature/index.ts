export { Ed25519Signer, Ed25519Verifier } from './ed25519.js';
export { EventSigner, EventVerifier } from './event-signature.js';
