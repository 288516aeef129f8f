#!/usr/bin/env node
// npm run docs: writes the generated pages, deploy/topology.json and the types of the client, and reports citations that lead
// nowhere. With --check it writes nothing and fails on stale files too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployedAccessFile } from '../stack/servers/redis-access.mjs';
import { workspace } from '../stack/settings.mjs';
import { brokenCitations } from './citations.mjs';
import { clientCallRules, clientTypes } from './client-types.mjs';
import { guarantees, provenIds } from './guarantees.mjs';
import { unprovenPromises } from './promises.mjs';
import { linkedRequirements } from './requirements.mjs';
import { settings } from './settings.mjs';
import { topology } from './topology.mjs';

const pages = {
  'docs/guarantees.md': guarantees,
  'docs/requirements.md': () => linkedRequirements(provenIds()),
  'docs/settings.md': settings,
  'deploy/topology.json': topology,
  'deploy/redis.acl': deployedAccessFile,
  'libs/client/src/generated/api.ts': clientTypes,
  'libs/client/src/generated/call-rules.ts': clientCallRules,
};
const isCheck = process.argv.includes('--check');

for (const [page, render] of Object.entries(pages)) {
  const path = join(workspace, page);
  const text = await render();
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (isCheck) {
    process.stderr.write(`${page} is stale: run npm run docs and commit what it writes\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    process.stdout.write(`${page} written\n`);
  }
}

// Links into a stale page say nothing.
const problems = process.exitCode ? [] : [...brokenCitations(workspace), ...unprovenPromises(workspace)];
for (const problem of problems) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
if (!process.exitCode)
  process.stdout.write('The generated pages are current, and every citation resolves.\n');
