import { integer, origin, RedisSettings, Setting, withSettings } from '@vaultsvc/config';
import { HttpSettings } from '@vaultsvc/http';
import { ObjectsConfig } from '@vaultsvc/objects';

/** The settings of Forge: its HTTP origin and its object store. */
export class ForgeConfig extends withSettings(withSettings(ObjectsConfig, HttpSettings), RedisSettings) {
  @Setting(integer({ min: 0, max: 65_535 }), 'Port of the transfer origin.')
  HTTP_PORT = 8_081;

  @Setting(
    origin,
    'Public origin of Forge; the local profile accepts requests for its host and for loopback names.',
  )
  FORGE_ORIGIN = 'http://127.0.0.1:8081';

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
