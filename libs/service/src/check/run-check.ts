import { Logger } from '@nestjs/common';
import { ConfigError, loadServiceConfig, unknownSettings, type ServiceConfig } from '@vaultsvc/config';
import 'reflect-metadata';
import { lineOf, resultOf, type Check, type CheckResult } from './check.js';
import type { CheckedService } from './checked-service.js';
import { databaseChecks } from './database-checks.js';
import { messagingChecks } from './messaging-checks.js';

/**
 * The program `check` of a service: tries its settings and all that they lead to, and prints a line for each. It exits with 0 if a
 * start would succeed, else with 1. It changes nothing but for an object that it stores and deletes again.
 */
export async function runCheck<C extends ServiceConfig>(service: CheckedService<C>): Promise<void> {
  Logger.overrideLogger(false); // the report says it all
  const lines = await report(service);
  process.stdout.write(lines.join(''));
  process.exitCode = lines.some((line) => line.startsWith('FAIL')) ? 1 : 0;
}

async function report<C extends ServiceConfig>(service: CheckedService<C>): Promise<string[]> {
  const unknown = unknownSettings().map(
    ({ name, nearest }) =>
      `warn  ${'settings'.padEnd(22)}  unknown setting ${name}: did you mean ${nearest}?\n`,
  );
  try {
    const config = loadServiceConfig(service.name, service.config);
    const settings = { name: 'settings', isGood: true, text: `${service.name}, PROFILE=${config.PROFILE}` };
    const results = [settings, ...(await Promise.all(checksOf(service, config).map(resultOf)))];
    return [...unknown, ...results.map(lineOf), summaryOf(service.name, results)];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map((text) => ({ name: 'settings', isGood: false, text }));
    return [...unknown, ...problems.map(lineOf), summaryOf(service.name, problems)];
  }
}

/** Of eight services in a row, a line that is wrong is easily missed. */
function summaryOf(service: string, results: readonly CheckResult[]): string {
  const failed = results.filter(({ isGood }) => !isGood).length;
  return `${service}: ${failed === 0 ? 'all' : `${failed} failed`} of ${results.length} checks${failed === 0 ? ' passed' : ''}\n`;
}

function checksOf<C extends ServiceConfig>(service: CheckedService<C>, config: C): readonly Check[] {
  return [
    ...messagingChecks(service.name, config),
    ...databaseChecks(service, config),
    ...(service.checks?.(config) ?? []),
  ];
}
