#!/usr/bin/env node
// npm run docs: writes the generated pages, deploy/topology.json, the generated files of the chart and the client's list of calls, and
// reports citations that lead nowhere. With --check it writes nothing and fails on stale files too. With ids it prints the tests of
// these requirements.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployedAccessFile } from '../stack/servers/redis-access.ts';
import { workspace } from '../stack/settings.ts';
import { servicesFile } from '../chart/services-file.ts';
import { valuesSchema } from '../chart/values-schema.ts';
import { brokenCitations } from './citations.ts';
import { clientCallRules } from './client-call-rules.ts';
import { dashboard } from './dashboards.ts';
import { unprovenPromises } from './promises.ts';
import { describeTests, idsIn } from './requirement-tests.ts';
import { settingReaders, settings } from './settings.ts';
import { topology } from './topology.ts';
import { untested } from './untested.ts';

const usage = `Usage: npm run docs [-- --check | -- ID …]
  without arguments  writes the generated pages and checks citations
  --check            writes nothing, and fails on stale pages
  ID …               prints the tests of requirements: npm run docs -- SPK-32 ENV-01
`;

const pages = {
  'docs/untested.md': untested,
  'docs/settings.md': settings,
  'deploy/topology.json': topology,
  'deploy/redis.acl': () => deployedAccessFile(),
  'deploy/chart/files/services.json': servicesFile,
  'deploy/chart/values.schema.json': valuesSchema,
  'deploy/dashboards/overview.json': () => dashboard('overview'),
  'deploy/dashboards/servers.json': () => dashboard('servers'),
  'deploy/dashboards/events.json': () => dashboard('events'),
  'libs/client/src/generated/call-rules.ts': clientCallRules,
  'libs/config/src/generated/setting-readers.ts': settingReaders,
};

async function generate({ isCheck }: { isCheck: boolean }) {
  for (const [page, render] of Object.entries(pages)) {
    const path = join(workspace, page);
    const text = await render();
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    if (isCheck) {
      fail(`${page} is stale: run npm run docs and commit what it writes`);
    } else {
      writeFileSync(path, text);
      process.stdout.write(`${page} written\n`);
    }
  }
  // Links into a stale page say nothing.
  if (!process.exitCode) [...brokenCitations(workspace), ...unprovenPromises(workspace)].forEach(fail);
  if (!process.exitCode)
    process.stdout.write('The generated pages are current, and every citation resolves.\n');
}

function fail(problem: string) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

async function main(args: readonly string[]) {
  if (args.includes('--help')) return void process.stdout.write(usage);
  if (args.every((arg) => arg === '--check')) return generate({ isCheck: args.length > 0 });
  process.stdout.write(describeTests(idsIn(args)));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
