import {
  ConfigError,
  integer,
  list,
  origin,
  rotatedKey,
  type Secret,
  ServiceConfig,
  Setting,
  text,
  withSettings,
  type RotatedKey,
} from '@vaultsvc/config';
import { HttpSettings } from '@vaultsvc/http';
import { frameOrigin } from './frame-origin.js';

/** The settings of the public HTTP surface. */
export class GatewayConfig extends withSettings(ServiceConfig, HttpSettings) {
  @Setting(integer({ min: 0, max: 65_535 }), 'Port of the public API.')
  HTTP_PORT = 8_080;

  @Setting(integer({ min: 1 }), 'Operations of one account in one minute.')
  RATE_LIMIT_PER_MINUTE = 300;

  // Services refuse a deadline that is more than a minute ahead, and their clocks differ.
  @Setting(
    integer({ min: 1_000, max: 50_000 }),
    'Milliseconds that a service has for its answer to a call; after them the caller gets 500.',
  )
  CALL_TIMEOUT_MS = 10_000;

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

  @Setting(
    rotatedKey,
    'Signs list cursors; the same for all instances of the gateway. Two keys while it changes: the first one signs.',
  )
  CURSOR_KEY: Secret<RotatedKey>;

  @Setting(
    rotatedKey,
    'Key of the MAC of credential records in Redis; equal in auth and the gateway. Two keys while it changes: the first one signs.',
  )
  CREDENTIAL_RECORD_KEY: Secret<RotatedKey>;

  @Setting(
    rotatedKey,
    'Key of the MAC of pool snapshots in Redis; equal in reporting, auth and the gateway. Two keys while it changes: the first one signs.',
  )
  POOL_SNAPSHOT_KEY: Secret<RotatedKey>;

  @Setting(integer({ min: 0, max: 65_535 }), 'Port of link pages, on the address of the public API.')
  LINK_PORT = 8_082;

  @Setting(integer({ min: 0, max: 65_535 }), 'Port of file pages, on the address of the public API.')
  FILES_PORT = 8_083;

  @Setting(origin, 'Public origin of Forge, from which pages read the progress of a download.')
  FORGE_ORIGIN: string;

  @Setting(text, 'Folder of the packages below `/docs/install`; by default `install` beside the program.')
  INSTALL_FOLDER = '';

  @Setting(text, 'Folder of the web application; by default `../../web/dist` from the folder of the program.')
  WEB_FOLDER = '';

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
