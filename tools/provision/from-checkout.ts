// npm run provision: as run.ts, which the image has as a program; a checkout may lack the packages that it runs with.
import { hasNodeModules, installNodeModules } from '../stack/node-modules.ts';

if (!hasNodeModules('stack')) {
  process.stderr.write('Installing the packages of package-lock.json (once, about a minute) …\n');
  await installNodeModules('stack');
}
await import('./run.ts');
