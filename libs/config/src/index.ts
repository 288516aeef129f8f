export { ConfigError, loadConfig, Setting, settingsOf } from './load-config.js';
export {
  flag,
  httpUrl,
  integer,
  key256,
  list,
  namedKeys,
  oneOf,
  origin,
  secret,
  secretText,
  secretUrl,
  socketAddress,
  text,
  type NamedKeys,
  type Parser,
} from './parsers.js';
export { Secret } from './secret.js';
export { ServiceConfig, StatefulConfig } from './service-config.js';
