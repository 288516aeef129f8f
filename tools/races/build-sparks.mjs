#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildOptions } from '../build/app.mjs';

/** Builds the sparks service into a folder of its own, so that no other build takes it away while copies run. */
const [outdir] = process.argv.slice(2);
if (!outdir) throw new Error('Usage: node tools/races/build-sparks.mjs <folder>');
await esbuild.build({
  ...buildOptions(fileURLToPath(new URL('../../apps/sparks', import.meta.url))),
  outdir,
});
