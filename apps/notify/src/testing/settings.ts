import { ConfigError, loadConfig } from '@vaultsvc/config';
import { wireSettings } from '@vaultsvc/testing/wire';
import { NotifyConfig } from '../config.js';

/** The settings without which notify does not start. */
const requiredSettings = {
  NATS_URL: 'nats://127.0.0.1',
  PROFILE: 'local',
  ...wireSettings('notify'),
  DATABASE_URL: 'postgres://127.0.0.1/x',
  DATABASE_SCHEMA: 'notify',
  API_ORIGIN: 'http://127.0.0.1:8080',
  KMS_REGION: 'us-east-1',
};

/** The problems of these settings together with the required ones. */
export function problemsOf(settings: Record<string, string>): readonly string[] {
  try {
    loadConfig(NotifyConfig, { ...requiredSettings, ...settings });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
