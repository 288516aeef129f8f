'use strict';
// Starts the CLI of this working copy in this process, and builds it before if a source has changed since the last build. A Node
// that is too old must be able to parse this file, so it has the syntax of ECMAScript 5.
var path = require('path');

var isSupported = Number(process.versions.node.split('.')[0]) >= 20;

if (isSupported && require('./built-cli.cjs').isCurrent()) {
  require('./built-cli.cjs').run();
} else {
  process.argv.splice(2, 0, path.join(__dirname, 'run.ts'));
  require('../run.cjs');
}
