export { CallContextMac } from './call-context-mac.js';
export {
  CursorCodec,
  type CursorPosition,
  type CursorScope,
  type CursorSettings,
  type CursorValue,
} from './cursor-codec.js';
export { equalInConstantTime, mac, macKey } from './mac.js';
