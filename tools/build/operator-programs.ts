import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * The possible programs of an app besides the service: its migrations, the creation of the first account (auth), the operator's
 * changes of billing (reporting), the command after a restore, the move to another root key, that for events that could not be applied, and
 * what a maintainer asks for.
 */
export const operatorPrograms = [
  'migrate',
  'check',
  'bootstrap',
  'set-billing',
  'restore-fence',
  'rewrap',
  'dead-letters',
  'support-bundle',
];

/** The bundle of all of them: they share most of their code, and alone each would be as large as a service. */
export const operatorBundle = 'programs.js';

const prefix = 'operator-programs:';

/** @returns those that the app has */
export function operatorProgramsOf(appDir: string): string[] {
  return operatorPrograms.filter((name) => existsSync(resolve(appDir, 'src', `${name}.ts`)));
}

/** The entry point of the bundle, which `operatorProgramsPlugin` makes. */
export function operatorEntry(appDir: string): string {
  return `${prefix}${resolve(appDir)}`;
}

/** The program that runs one of them from the bundle. */
export function operatorProgram(name: string): string {
  return `import { run } from "./${operatorBundle}";\nawait run("${name}");\n`;
}

/** Makes a module that imports a program when it is to run, and so evaluates no other one. */
export const operatorProgramsPlugin: Plugin = {
  name: 'operator-programs',
  setup(building) {
    building.onResolve({ filter: new RegExp(`^${prefix}`) }, ({ path }) => ({
      path: path.slice(prefix.length),
      namespace: 'operator-programs',
    }));
    building.onLoad({ filter: /.*/, namespace: 'operator-programs' }, ({ path }) => {
      const entries = operatorProgramsOf(path).map((name) => `'${name}': () => import('./${name}.ts')`);
      return {
        contents: `const programs = { ${entries.join(', ')} };\nexport const run = (name) => programs[name]();\n`,
        resolveDir: join(path, 'src'),
      };
    });
  },
};
