export { ConfigError, loadConfig, Setting, settingsOf } from './load-config.js';
export {
  flag,
  httpUrl,
  integer,
  key256,
  list,
  oneOf,
  origin,
  secretText,
  secretUrl,
  socketAddress,
  text,
  type Parser,
} from './parsers.js';
export { Secret } from './secret.js';
export { ServiceConfig, StatefulConfig } from './service-config.js';
