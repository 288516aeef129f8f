// npm run closure -- FILE: the product files that FILE reaches by imports.
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { closureOf } from './closure.ts';

const usage = `Usage: npm run closure -- FILE

  Counts and lists the files of its package that FILE reaches, itself included: by imports and re-exports, of types too, by
  dynamic imports, and by the classes and factories that providers name for a token that a reached file injects. Libraries
  and packages are not counted. A file that a reader of FILE may have to open is counted, whatever is left of it at run time.
`;

const [file, ...rest] = process.argv.slice(2);
if (file === undefined || rest.length > 0 || file.startsWith('-') || !existsSync(file)) {
  process.stdout.write(usage);
  process.exitCode = file === '--help' ? 0 : 2;
} else {
  const files = closureOf(file);
  process.stdout.write(`${files.map((one) => relative('.', one)).join('\n')}\n${files.length} files\n`);
}
