import { describe, it } from '@jest/globals';
import { expectNumberSetting, type NumberSetting } from '@vaultsvc/testing/fixtures';
import { VaultsConfig } from './config.js';

describe('OPEN-41: the sizes of statistics', () => {
  it.each<NumberSetting>([
    ['LARGE_INGOT_BYTES', 104_857_600, 1],
    ['SMALL_INGOT_BYTES', 1_048_576, 1],
  ])('%s is %d unless it is set', (...setting) => {
    expectNumberSetting(VaultsConfig, setting);
  });
});
