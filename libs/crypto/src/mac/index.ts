export { CallContextMac } from './call-context-mac.js';
export {
  CursorCodec,
  type CursorPosition,
  type CursorScope,
  type CursorSettings,
  type CursorValue,
} from './cursor-codec.js';
export { mac, macEquals, macKey } from './mac.js';
