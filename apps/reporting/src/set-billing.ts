import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { loadServiceConfig, runCommand, servedShard, UsageError } from '@vaultsvc/config';
import { shardOf } from '@vaultsvc/crypto/encoding';
import { OperatorBilling, type AccountBilling } from './billing/operator/operator-billing.js';
import { readArguments, type BillingOrder } from './billing/operator/read-arguments.js';
import { ReportingConfig } from './config.js';
import { OperatorModule } from './operator.module.js';

// The operator's command for the billing of an account, where `manual` does not leave it to the tenants (OPEN-65).
await runCommand(async () => {
  const billing = await setBilling(readArguments(process.argv.slice(2)));
  process.stdout.write(`${JSON.stringify(billing)}\n`);
});

async function setBilling(order: BillingOrder): Promise<AccountBilling> {
  const config = loadServiceConfig('reporting', ReportingConfig);
  if (config.BILLING_PROVIDER !== 'manual')
    throw new UsageError(
      `BILLING_PROVIDER is ${config.BILLING_PROVIDER}, which collects the invoices itself.`,
    );
  const [own, shard] = [servedShard(config), shardOf(order.accountId)];
  if (own !== shard)
    throw new UsageError(
      `${order.accountId} is of shard ${shard}, and these are the settings of shard ${own}.`,
    );
  const options = { logger: ['error', 'fatal'] as ('error' | 'fatal')[], abortOnError: false };
  const context = await NestFactory.createApplicationContext(OperatorModule.of(config), options);
  try {
    return await context.get(OperatorBilling).carryOut(order);
  } finally {
    await context.close();
  }
}
