'use strict';
// Ends a command with one sentence where Node is too old for it. The scripts of package.json load this file before their
// program, because an old Node fails at the syntax of the program. So this file has the syntax of ECMAScript 5.

var readFileSync = require('fs').readFileSync;
var join = require('path').join;

/** @param {string} version such as `20.19`; the missing parts are 0 */
function partsOf(version) {
  var found = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version) || [];
  return [Number(found[1] || 0), Number(found[2] || 0), Number(found[3] || 0)];
}

/**
 * @param {string} version
 * @param {string} needed
 */
function isOlder(version, needed) {
  var have = partsOf(version);
  var want = partsOf(needed);
  for (var index = 0; index < 3; index++) {
    if (have[index] !== want[index]) return have[index] < want[index];
  }
  return false;
}

var description = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));
var needed = description.engines.node.replace('>=', '');

if (isOlder(process.version, needed)) {
  var found = process.version.replace('v', '') + ' (' + process.execPath + ')';
  var advice =
    'Install a current release from https://nodejs.org/en/download, or with nvm: nvm install --lts';
  var sentence = 'vaultsvc needs Node ' + needed + ' or later, and this is Node ' + found + '.';
  process.stderr.write(sentence + ' ' + advice + '\n');
  process.exit(1);
}
