'use strict';
// node tools/run.cjs PROGRAM [arguments]: runs a program in TypeScript, on this Node if it strips types, else on Node 24.
// A Node that is too old must be able to parse this file, so it has the syntax of ECMAScript 5.

var readFileSync = require('fs').readFileSync;
var Module = require('module');
var path = require('path');

var description = JSON.parse(readFileSync(path.join(__dirname, '../package.json'), 'utf8'));
var needed = description.engines.node.replace('>=', '');
var neededParts = needed.split('.').map(Number);
var version = process.version.replace('v', '');
var parts = version.split('.');
var major = Number(parts[0]);
var isTooOld = major === neededParts[0] ? Number(parts[1]) < neededParts[1] : major < neededParts[0];
var stripsTypes = 'typescript' in process.features && process.features.typescript;
var program = process.argv[2];

if (isTooOld) {
  var found = version + ' (' + process.execPath + ')';
  var advice =
    'Install a current release from https://nodejs.org/en/download, or with nvm: nvm install --lts';
  var sentence = 'vaultsvc needs Node ' + needed + ' or later, and this is Node ' + found + '.';
  process.stderr.write(sentence + ' ' + advice + '\n');
  process.exit(1);
} else if (!program) {
  process.stderr.write('Usage: node tools/run.cjs PROGRAM [arguments]\n');
  process.exit(2);
} else if (stripsTypes) {
  // As if Node had been started with the program.
  process.argv.splice(1, 2, path.resolve(program));
  Module.runMain();
} else {
  require('./node/newer-node.cjs');
}
