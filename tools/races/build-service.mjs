#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildOptions } from '../build/app.mjs';

/** Builds a service into a separate folder, so that another build cannot replace it while instances run. */
const [service, outdir] = process.argv.slice(2);
if (!service || !outdir) throw new Error('Usage: node tools/races/build-service.mjs <service> <folder>');
await esbuild.build({
  ...buildOptions(fileURLToPath(new URL(`../../apps/${service}`, import.meta.url))),
  outdir,
});
