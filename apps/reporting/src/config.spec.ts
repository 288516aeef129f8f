import { describe, it } from '@jest/globals';
import { expectNumberSetting, type NumberSetting } from '@vaultsvc/testing/fixtures';
import { ReportingConfig } from './config.js';

describe('OPEN-04 OPEN-29: the numbers of reporting', () => {
  it.each<NumberSetting>([
    ['STORAGE_POOL_BYTES', 10_737_418_240, 0],
    ['BANDWIDTH_POOL_BYTES', 107_374_182_400, 0],
    ['IDENTITY_POOL_SEATS', 5, 0],
    ['LEDGER_DETAIL_DAYS', 35, 1],
  ])('%s is %d unless it is set, and keeps its bounds', (...setting) => {
    expectNumberSetting(ReportingConfig, setting);
  });
});
