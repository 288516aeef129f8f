export { buildInfo, type BuildInfo } from './build-info.js';
export { ConfigError, loadConfig, Setting, settingsOf, withSettings, type Rule } from './load-config.js';
export { loadServiceConfig } from './load-service-config.js';
export { parseCommandLine, runCommand, UsageError } from './commands/index.js';
export { unknownSettings, type UnknownSetting } from './unknown-settings.js';
export {
  flag,
  httpUrl,
  integer,
  key256,
  list,
  namedKeys,
  oneOf,
  origin,
  rotatedKey,
  ratio,
  secret,
  secretText,
  secretUrl,
  socketAddress,
  text,
  type NamedKeys,
  type Parser,
  type RotatedKey,
} from './parsers.js';
export {
  encryptedHttp,
  encryptedNats,
  encryptedRedis,
  issuerOverTls,
  natsCredentials,
  togetherWith,
  verifiedPostgres,
} from './production-rules.js';
export { PostgresUrl, postgresUrl, type PostgresServer } from './postgres-url.js';
export { isLoopback, isProtectedUrl, protectedOrigin } from './urls/index.js';
export { Secret } from './secret.js';
export { RedisSettings } from './redis-settings.js';
export { environmentOf, serviceNames, unknownSettingsOfAll } from './service-environment.js';
export { eachShardOnce, servedShard, ShardConfig, shardNumbers } from './shard-config.js';
export {
  DatabaseConfig,
  type Release,
  ServiceConfig,
  StatefulConfig,
  type StreamLayout,
} from './service-config.js';
export { summarizeSettings, type SettingsSummary } from './settings-summary.js';
