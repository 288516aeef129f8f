export { EventSigner, EventVerifier } from './event-signature.js';
