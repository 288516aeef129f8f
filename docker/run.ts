import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Entry point of the image: runs a program in this process, so that the program receives SIGTERM. The program of a service is `main`
// unless another one is named. `all` runs all services in one process; `provision` belongs to no service.
const folder = dirname(fileURLToPath(import.meta.url));
const [service = '', ...given] = process.argv.slice(2);
const services = readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/dist/main.js`));
const programs = services.includes(service) ? programsOf(service) : [];
const [program, rest] = isNamed(given[0]) ? [given[0], given.slice(1)] : ['main', given];

if (!programs.includes(program)) {
  const usage = services.map((name) => `  ${name} [${programsOf(name).join(' | ')}]`);
  process.stderr.write(`Usage: <service> [program] [arguments]\n${usage.join('\n')}\n`);
  process.exit(2);
}
const path = `${folder}/${service}/dist/${program}.js`;
process.argv = [process.execPath, path, ...rest];
await import(pathToFileURL(path).href);

/** Options belong to `main`. `provision` has commands of its own in it: to be refused there, they must get there. */
function isNamed(argument: string | undefined): argument is string {
  if (argument === undefined || argument.startsWith('-')) return false;
  return service !== 'provision' || programs.includes(argument);
}

function programsOf(name: string): string[] {
  const files = readdirSync(`${folder}/${name}/dist`).filter((file) => /^[a-z-]+\.js$/.test(file));
  // `programs.js` is the bundle that all but `main` run from.
  return files.map((file) => file.slice(0, -'.js'.length)).filter((program) => program !== 'programs');
}
