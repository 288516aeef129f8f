import { describe, it } from '@jest/globals';
import { expectNumberSetting, type NumberSetting } from '@vaultsvc/testing/fixtures';
import { SparksConfig } from './config.js';

describe('SHR-06 OPEN-50 OPEN-64: the numbers of sparks', () => {
  it.each<NumberSetting>([
    ['MAILS_PER_HOUR', 5_000, 1, 100_000_000],
    ['TEXTS_PER_HOUR', 1_000, 1, 100_000_000],
    ['OTHER_MESSAGES_PER_HOUR', 50_000, 1, 100_000_000],
    ['SPARK_TOMBSTONE_MONTHS', 0, 0, 1_200],
  ])('%s is %d unless it is set, and keeps its bounds', (...setting) => {
    expectNumberSetting(SparksConfig, setting);
  });
});
