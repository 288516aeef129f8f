export { buildInfo, type BuildInfo } from './build-info.js';
export { ConfigError, loadConfig, Setting, settingsOf, withSettings, type Rule } from './load-config.js';
export {
  flag,
  httpUrl,
  integer,
  key256,
  list,
  namedKeys,
  oneOf,
  origin,
  ratio,
  secret,
  secretText,
  secretUrl,
  socketAddress,
  text,
  type NamedKeys,
  type Parser,
} from './parsers.js';
export {
  encryptedHttp,
  encryptedNats,
  encryptedRedis,
  natsCredentials,
  togetherWith,
  verifiedPostgres,
} from './production-rules.js';
export { isLoopback, isProtectedUrl, protectedOrigin } from './protected-url.js';
export { Secret } from './secret.js';
export { summarizeSettings, type SettingsSummary } from './settings-summary.js';
export { ServiceConfig, StatefulConfig } from './service-config.js';
