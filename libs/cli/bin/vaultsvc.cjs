#!/usr/bin/env node
'use strict';
// npx vaultsvc in a clone: the CLI of this working copy. The published package starts its bundle itself.
require('../../../tools/cli/start.cjs');
