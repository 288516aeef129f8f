'use strict';
// The CLI that was built last in this working copy, and the state of the files of which it was made.
const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const workspace = join(__dirname, '../..');
/** Not in node_modules, which `npm ci` deletes. */
const cliFile = join(workspace, '.cache/cli/vaultsvc.mjs');
const inputsFile = join(workspace, '.cache/cli/inputs.json');

/** Size and time of change of a file below the workspace. */
function stateOf(path = '') {
  // Some hundred files at each start: `join` would take as long as the look at the disk.
  const { size, mtimeMs } = statSync(`${workspace}/${path}`);
  return `${size} ${mtimeMs}`;
}

/** Whether every file has the state that it had at the build. */
function isCurrent() {
  try {
    statSync(cliFile);
    const states = JSON.parse(readFileSync(inputsFile, 'utf8'));
    return Object.keys(states).every((path) => states[path] === stateOf(path));
  } catch {
    return false;
  }
}

/** Runs it in this process, with its arguments. */
function run() {
  process.argv[1] = cliFile;
  return import(pathToFileURL(cliFile).href);
}

module.exports = { cliFile, inputsFile, isCurrent, run, stateOf };
