export {
  mintApiKey,
  mintSession,
  newAccount,
  type SessionOptions,
  type TestAccount,
  type TestApiKey,
  type TestSession,
  type TestUser,
} from './accounts.js';
export { forgeryNames, forgeTokens, type ForgedTokens, type ForgeryName } from './forged-tokens.js';
export { auth } from '../../../../apps/auth/src/auth.service.js';
