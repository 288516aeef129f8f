export { mintBearer, mintLinkCode, parseBearer, parseLinkCode } from './bearers.js';
export { type LookupKind, lookupHash } from './lookup.js';
export {
  formatToken,
  lastLetters,
  MintedToken,
  mintToken,
  parseToken,
  preview,
  type TokenKind,
  tokenPrefixes,
} from './tokens.js';
