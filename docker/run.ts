import { existsSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// Entry point of the image: runs a program of a service in this process, so that the program receives SIGTERM.
const [service = '', program = 'main', ...rest] = process.argv.slice(2);
const services = readdirSync('.').filter((name) => existsSync(`${name}/dist/main.js`));
const path = `${service}/dist/${program}.js`;

if (!services.includes(service) || !/^[a-z-]+$/.test(program) || !existsSync(path)) {
  process.stderr.write(
    `Usage: <service> [main | migrate | bootstrap | set-billing | restore-fence | dead-letters | support-bundle]. Services: ${services.join(', ')}\n`,
  );
  process.exit(2);
}
process.argv = [process.execPath, path, ...rest];
await import(pathToFileURL(path).href);
