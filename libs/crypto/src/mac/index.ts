export {
  CursorCodec,
  type CursorPosition,
  type CursorScope,
  type CursorSettings,
  type CursorValue,
} from './cursor-codec.js';
export { CallMac, type CallAddress, type CallParts, type ReplyParts } from './call-mac.js';
export { mac, MAC_BYTES, macEquals, macKey } from './mac.js';
export { providerMac } from './provider-mac.js';
export { webhookSignature, type WebhookParts } from './webhook-signature.js';
