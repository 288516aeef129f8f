#!/usr/bin/env node
'use strict';
// npx vaultsvc
process.argv.splice(2, 0, require('path').join(__dirname, 'run.ts'));
require('../run.cjs');
