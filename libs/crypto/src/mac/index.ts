export {
  CursorCodec,
  type CursorPosition,
  type CursorScope,
  type CursorSettings,
  type CursorValue,
} from './cursor-codec.js';
export { CallContextMac, mac, macEquals, macKey } from './mac.js';
