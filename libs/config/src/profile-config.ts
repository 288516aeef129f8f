import { Setting } from './load-config.js';
import { oneOf } from './parsers.js';

/** The setting of every program, on which the rules of others depend. */
export class ProfileConfig {
  @Setting(
    oneOf('local', 'production'),
    'Environment of the service. Only the local profile accepts plain HTTP, on loopback, and servers without TLS and credentials.',
  )
  PROFILE: 'local' | 'production' = 'production';
}
