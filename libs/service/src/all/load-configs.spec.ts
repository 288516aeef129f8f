import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { ConfigError, integer, ServiceConfig, Setting, StatefulConfig, text } from '@vaultsvc/config';
import { wireSettings } from '@vaultsvc/testing/wire';
import { defineService, type ServiceDefinition } from '../index.js';
import { loadConfigs } from './index.js';

@Module({})
class Nothing {}

class FrontConfig extends ServiceConfig {
  @Setting(integer({ min: 0 }), 'Port.')
  HTTP_PORT = 8_080;
}
class ForgeLikeConfig extends StatefulConfig {
  @Setting(integer({ min: 0 }), 'Port.')
  HTTP_PORT = 8_081;
  @Setting(text, 'Folder.')
  OBJECTS_DIR = '';
}
class ReportingLikeConfig extends StatefulConfig {
  @Setting(text, 'Folder.')
  OBJECTS_DIR = '';
}
const definitions = [
  defineService({ name: 'gateway', config: FrontConfig, module: Nothing }),
  defineService({ name: 'forge', config: ForgeLikeConfig, module: Nothing }),
  defineService({ name: 'reporting', config: ReportingLikeConfig, module: Nothing }),
] as readonly ServiceDefinition[];

const environment = {
  PROFILE: 'local',
  NATS_URL: 'nats://127.0.0.1:4222',
  ...wireSettings('stranger'),
  FORGE_DATABASE_URL: 'postgres://forge@127.0.0.1/vaultsvc',
  REPORTING_DATABASE_URL: 'postgres://reporting@127.0.0.1/vaultsvc',
};

function problemsOf(given: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfigs(definitions, { ...environment, ...given });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('The settings of all services from one environment', () => {
  it('differ by the prefixes, and have each the schema of its service and its own port by default', () => {
    const [gateway, forge, reporting] = loadConfigs(definitions, environment);
    expect(gateway?.config).toMatchObject({ HTTP_PORT: 8_080, NATS_URL: environment.NATS_URL });
    expect(forge?.config).toMatchObject({ HTTP_PORT: 8_081, DATABASE_SCHEMA: 'forge' });
    expect(reporting?.config).toMatchObject({ DATABASE_SCHEMA: 'reporting' });
    const { DATABASE_URL } = (reporting?.config ?? {}) as StatefulConfig;
    expect(DATABASE_URL.reveal()).toBe(environment.REPORTING_DATABASE_URL);
  });

  it('are refused in one message that names the services of each problem, and a common one once', () => {
    expect(problemsOf({ NATS_URL: '', FORGE_DATABASE_URL: '', LOG_LEVEL: 'loud' })).toEqual([
      expect.stringMatching(/^NATS_URL is missing\./),
      expect.stringMatching(/^LOG_LEVEL /),
      expect.stringMatching(/^forge: DATABASE_URL is missing\./),
    ]);
  });

  it('have defaults of the program, which the environment replaces', () => {
    const levelsOf = (given: NodeJS.ProcessEnv) =>
      loadConfigs(definitions, { ...environment, ...given }, { LOG_LEVEL: 'error' }).map(
        ({ config }) => config.LOG_LEVEL,
      );
    expect(levelsOf({})).toEqual(['error', 'error', 'error']);
    expect(levelsOf({ FORGE_LOG_LEVEL: 'debug' })).toEqual(['error', 'debug', 'error']);
  });

  it('are refused if two services had one port or one place for objects', () => {
    expect(problemsOf({ HTTP_PORT: '80', OBJECTS_DIR: '/data' })).toEqual([
      'HTTP_PORT is the same for gateway and forge: set GATEWAY_HTTP_PORT and FORGE_HTTP_PORT',
      'OBJECTS_DIR is the same for forge and reporting: set FORGE_OBJECTS_DIR and REPORTING_OBJECTS_DIR',
    ]);
    expect(problemsOf({ HTTP_PORT: '0', FORGE_OBJECTS_DIR: '/a', REPORTING_OBJECTS_DIR: '/b' })).toEqual([]);
  });
});
