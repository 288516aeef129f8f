import { describe, it } from '@jest/globals';
import { expectNumberSetting, type NumberSetting } from '@vaultsvc/testing/fixtures';
import { IntegrationsConfig } from './config.js';

describe('ENV-32 CHT-08: the numbers of integrations', () => {
  it.each<NumberSetting>([
    ['RATE_LIMIT_PER_MINUTE', 300, 1],
    ['CHAT_ANALYTICS_ROWS_MAX', 10_000, 1, 100_000],
  ])('%s is %d unless it is set, and keeps its bounds', (...setting) => {
    expectNumberSetting(IntegrationsConfig, setting);
  });
});
