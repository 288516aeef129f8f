import { describe, it } from '@jest/globals';
import { expectNumberSetting, type NumberSetting } from '@vaultsvc/testing/fixtures';
import { ForgeConfig } from './config.js';

describe('FRG-01 MISC-01: the numbers of forge', () => {
  it.each<NumberSetting>([
    ['HTTP_PORT', 8_081, 0, 65_535],
    ['CHUNKS_AT_ONCE_MAX', 64, 1, 10_000],
    ['DOWNLOADS_AT_ONCE_MAX', 256, 1, 10_000],
    ['DOWNLOADS_PER_ACCOUNT_MAX', 64, 1, 10_000],
    ['DOWNLOAD_BYTES_PER_SECOND_MIN', 65_536, 0, 1_073_741_824],
    ['TRANSFER_WAIT_MS', 10_000, 1, 300_000],
    ['SHUTDOWN_GRACE_MS', 120_000, 100, 300_000],
  ])('%s is %d unless it is set, and keeps its bounds', (...setting) => {
    expectNumberSetting(ForgeConfig, setting);
  });
});
