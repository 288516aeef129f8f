// npm run test:node -- 22 [arguments of npm test]: the same run on another major version of Node.
import { join } from 'node:path';
import { findNode, installNode } from '../node/releases.cjs';
import { runOn } from '../node/run-on.cjs';
import { workspace } from '../stack/settings.ts';

const oldest = 22;

const [major = '', ...args] = process.argv.slice(2);
if (!/^\d+$/.test(major) || Number(major) < oldest) {
  process.stderr.write(`Usage: npm run test:node -- <major version of Node, at least ${oldest}> [paths]\n`);
  process.exit(1);
}

runOn(findNode(major) ?? installNode(major), [join(workspace, 'tools/test/run.ts'), ...args]);
