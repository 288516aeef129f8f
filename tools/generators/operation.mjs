#!/usr/bin/env node
// npm run generate -- sparks.read-spark GET '/v1/sparks/{spark_id}' [--in spark]
import { parseArgs } from 'node:util';
import { workspace } from '../stack/settings.mjs';
import { generateOperation } from './generate-operation.mjs';
import { readRequest } from './names.mjs';

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { in: { type: 'string' } } });
  const files = await generateOperation(workspace, readRequest(positionals, values.in));
  process.stdout.write(`${files.map((path) => `  ${path}`).join('\n')}\n`);
  process.stdout.write('The spec fails until the handler is written. Then:\n');
  process.stdout.write('  a sample of its input in apps/e2e/src/access/samples.ts\n  npm run docs\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
