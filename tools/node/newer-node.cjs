'use strict';
// The part of tools/run.cjs for a Node that does not strip types: runs the program on Node 24.
const { findNode, installNode } = require('./releases.cjs');
const { runOn } = require('./run-on.cjs');

const release = '24';

function findOrInstall() {
  const found = findNode(release);
  if (found) return found;
  const version = process.version.replace('v', '');
  process.stderr.write(`Node ${version} is too old for the tools; getting Node ${release} (once) …\n`);
  return installNode(release);
}

try {
  runOn(findOrInstall(), [...process.execArgv, ...process.argv.slice(2)]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
