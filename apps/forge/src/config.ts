import {
  encryptedRedis,
  flag,
  integer,
  list,
  origin,
  Secret,
  secretUrl,
  Setting,
  text,
} from '@vaultsvc/config';
import { plainHttpOnLoopback, proxyList } from '@vaultsvc/http';
import { ObjectsConfig } from '@vaultsvc/objects';

/** The settings of Forge: its HTTP origin and its object store. */
export class ForgeConfig extends ObjectsConfig {
  @Setting(integer({ min: 0, max: 65_535 }), 'Port of the transfer origin.')
  HTTP_PORT = 8_081;

  @Setting(text, 'Address that the transfer origin listens on.')
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

  @Setting(
    origin,
    'Public origin of Forge; the local profile accepts requests for its host and for loopback names.',
  )
  FORGE_ORIGIN = 'http://127.0.0.1:8081';

  @Setting(origin, 'Public origin of the API, whose panels may transfer files too.')
  API_ORIGIN: string;

  @Setting(origin, 'Public origin of link pages, which may transfer files too.')
  LINK_ORIGIN: string;

  @Setting(origin, 'Public origin of file pages, which may transfer files too.')
  FILES_ORIGIN: string;

  @Setting(secretUrl, 'Redis: counts refused requests of each address.', encryptedRedis)
  REDIS_URL: Secret;

  @Setting(
    integer({ min: 50, max: 2_500 }),
    'Milliseconds until a call to Redis times out; requests that need its answer are then refused.',
  )
  REDIS_ANSWER_MS = 250;

  @Setting(integer({ min: 1 }), 'Calls without an account from one address in one minute.')
  RATE_LIMIT_PER_IP_PER_MINUTE = 600;

  @Setting(
    integer({ min: 1, max: 10_000 }),
    'Chunks that one process receives concurrently; at most seven eighths of them for one account, and a quarter while others wait.',
  )
  CHUNKS_AT_ONCE_MAX = 64;

  @Setting(integer({ min: 1, max: 10_000 }), 'Downloads that one process sends concurrently.')
  DOWNLOADS_AT_ONCE_MAX = 256;

  @Setting(integer({ min: 1, max: 10_000 }), 'Downloads of one account that one process sends concurrently.')
  DOWNLOADS_PER_ACCOUNT_MAX = 64;

  @Setting(
    integer({ min: 0, max: 1_073_741_824 }),
    'While downloads wait, a streaming download that is slower than this over 10 seconds may end; its client resumes by Range.',
  )
  DOWNLOAD_BYTES_PER_SECOND_MIN = 65_536;

  @Setting(
    integer({ min: 1, max: 300_000 }),
    'Milliseconds that a chunk or a download waits while the limits of the process are reached; then it is refused.',
  )
  TRANSFER_WAIT_MS = 10_000;

  @Setting(
    integer({ min: 100, max: 300_000 }),
    'Milliseconds to wait for running transfers at shutdown; longer ones are cut off, and uploads resume at another instance.',
  )
  override SHUTDOWN_GRACE_MS = 120_000;
}
