import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { buildOptions } from '../build/app.ts';
import { isBuilt } from '../build/inputs.ts';

/**
 * Writes the programs of a service to a separate folder, so that another build cannot replace them while instances run.
 * Copies the app's `dist` if it is up to date.
 */
const [service, outdir] = process.argv.slice(2);
if (!service || !outdir) throw new Error('Usage: node tools/races/build-service.ts <service> <folder>');
const appDir = fileURLToPath(new URL(`../../apps/${service}`, import.meta.url));
const options = buildOptions(appDir);
if (isBuilt(appDir)) await cp(options.outdir, outdir, { recursive: true });
else await esbuild.build({ ...options, outdir });
