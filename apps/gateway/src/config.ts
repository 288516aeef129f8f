import {
  ConfigError,
  encryptedRedis,
  flag,
  integer,
  key256,
  list,
  origin,
  Secret,
  secretUrl,
  ServiceConfig,
  Setting,
  text,
} from '@vaultsvc/config';
import { plainHttpOnLoopback, proxyList } from '@vaultsvc/http';
import { frameOrigin } from './frame-origin.js';

/** The settings of the public HTTP surface. */
export class GatewayConfig extends ServiceConfig {
  @Setting(integer({ min: 0, max: 65_535 }), 'Port of the public API.')
  HTTP_PORT = 8_080;

  @Setting(text, 'Address that the public API listens on.')
  HTTP_HOST = '127.0.0.1';

  @Setting(
    flag,
    'Whether to refuse requests over plain HTTP; false only with PROFILE=local and HTTP_HOST on loopback.',
    plainHttpOnLoopback,
  )
  REQUIRE_HTTPS = true;

  @Setting(
    proxyList,
    'Addresses or CIDR blocks of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.',
  )
  TRUSTED_PROXIES: readonly string[] = [];

  @Setting(list(origin), 'Origins whose pages may call the API with credentials.')
  CORS_ORIGINS: readonly string[] = [];

  @Setting(integer({ min: 1 }), 'Operations of one account in one minute.')
  RATE_LIMIT_PER_MINUTE = 300;

  @Setting(integer({ min: 1 }), 'Calls without an account from one address in one minute.')
  RATE_LIMIT_PER_IP_PER_MINUTE = 600;

  @Setting(
    integer({ min: 64 * 1_048_576 }),
    'Bytes of request bodies that one process holds at once, from their arrival to the end of their calls; a quarter of them of one account.',
  )
  BODY_BYTES_IN_FLIGHT_MAX = 128 * 1_048_576;

  @Setting(integer({ min: 1 }), 'Sockets of the live feed that one account may open at one instance.')
  FEED_SOCKETS_PER_ACCOUNT = 20;

  @Setting(
    integer({ min: 1, max: 60 }),
    'Seconds after which a socket of the live feed reads the feed without a signal and checks its credential.',
  )
  FEED_POLL_SECONDS = 15;

  @Setting(
    integer({ min: 1, max: 300 }),
    'Seconds between pings of a socket of the live feed; one that answers none until the next is closed.',
  )
  FEED_PING_SECONDS = 30;

  @Setting(key256, 'Signs list cursors; the same for all instances of the gateway.')
  CURSOR_KEY: Secret<Buffer>;

  @Setting(secretUrl, 'Redis: credential records, rate limiter, pool snapshots.', encryptedRedis)
  REDIS_URL: Secret;

  @Setting(
    integer({ min: 50, max: 2_500 }),
    'Milliseconds until a call to Redis times out; requests that need its answer are then refused.',
  )
  REDIS_ANSWER_MS = 250;

  @Setting(key256, 'Key of the MAC of credential records in Redis; equal in auth and the gateway.')
  CREDENTIAL_RECORD_KEY: Secret<Buffer>;

  @Setting(key256, 'Key of the MAC of pool snapshots in Redis; equal in reporting, auth and the gateway.')
  POOL_SNAPSHOT_KEY: Secret<Buffer>;

  @Setting(origin, 'Public origin of the API; the issuer of access tokens.')
  API_ORIGIN: string;

  @Setting(integer({ min: 0, max: 65_535 }), 'Port of link pages, on the address of the public API.')
  LINK_PORT = 8_082;

  @Setting(integer({ min: 0, max: 65_535 }), 'Port of file pages, on the address of the public API.')
  FILES_PORT = 8_083;

  @Setting(origin, 'Public origin of link pages, on another host than the API.')
  LINK_ORIGIN: string;

  @Setting(origin, 'Public origin of file pages, on another host than the API.')
  FILES_ORIGIN: string;

  @Setting(origin, 'Public origin of Forge, from which pages read the progress of a download.')
  FORGE_ORIGIN: string;

  @Setting(list(frameOrigin), 'Origins of crma whose pages may show panels in a frame.')
  CRMA_FRAME_ORIGINS: readonly string[] = ['https://*.hubspot.com'];

  @Setting(list(frameOrigin), 'Origins of crmb whose pages may show panels in a frame.')
  CRMB_FRAME_ORIGINS: readonly string[] = [
    'https://*.lightning.force.com',
    'https://*.salesforce.com',
    'https://*.vf.force.com',
  ];
}

/**
 * Link pages run a script beside secrets, so they must not share the origin of the API, and a link works on one origin.
 * @throws ConfigError
 */
export function assertDistinctOrigins(config: GatewayConfig): void {
  if (new Set(ownOrigins(config)).size < 3)
    throw new ConfigError(['API_ORIGIN, LINK_ORIGIN and FILES_ORIGIN must be three different origins.']);
}

/** The public origins that the gateway answers. */
export function ownOrigins({ API_ORIGIN, LINK_ORIGIN, FILES_ORIGIN }: GatewayConfig): readonly string[] {
  return [API_ORIGIN, LINK_ORIGIN, FILES_ORIGIN];
}
