import { describe, expect, it } from '@jest/globals';
import { expectNumberSetting, type NumberSetting } from '@vaultsvc/testing/fixtures';
import { assertDistinctOrigins, GatewayConfig } from './config.js';

const origins = {
  API_ORIGIN: 'https://api.example',
  LINK_ORIGIN: 'https://links.example',
  FILES_ORIGIN: 'https://files.example',
};
const check = (settings: Partial<typeof origins>) => () =>
  assertDistinctOrigins({ ...origins, ...settings } as GatewayConfig);

describe('LNK-11: assertDistinctOrigins', () => {
  it('accepts three different origins', () => {
    expect(check({})).not.toThrow();
  });

  it.each([
    ['links on the API', { LINK_ORIGIN: origins.API_ORIGIN }],
    ['files on the API', { FILES_ORIGIN: origins.API_ORIGIN }],
    ['links and files on one origin', { FILES_ORIGIN: origins.LINK_ORIGIN }],
  ])('keeps the gateway from starting with %s', (_, settings) => {
    expect(check(settings)).toThrow('LINK_ORIGIN and FILES_ORIGIN must be three different origins');
  });
});

describe('LNK-11 ENV-32: the numbers of the gateway', () => {
  it.each<NumberSetting>([
    ['HTTP_PORT', 8_080, 0, 65_535],
    ['LINK_PORT', 8_082, 0, 65_535],
    ['FILES_PORT', 8_083, 0, 65_535],
    ['RATE_LIMIT_PER_MINUTE', 300, 1],
    ['CALL_TIMEOUT_MS', 10_000, 1_000, 50_000],
    ['BODY_BYTES_IN_FLIGHT_MAX', 134_217_728, 67_108_864],
    ['FEED_SOCKETS_PER_ACCOUNT', 20, 1],
    ['FEED_POLL_SECONDS', 15, 1, 60],
    ['FEED_PING_SECONDS', 30, 1, 300],
  ])('%s is %d unless it is set, and keeps its bounds', (...setting) => {
    expectNumberSetting(GatewayConfig, setting);
  });
});
