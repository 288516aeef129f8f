import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

const options: ts.TranspileOptions = {
  reportDiagnostics: true,
  compilerOptions: {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    declaration: true,
    // Each file by itself: types are checked elsewhere, and this takes no program of all files.
    isolatedDeclarations: true,
  },
};

/**
 * Writes the declarations of entry points and of every file that these name.
 * @param entries paths below `source`, without extension
 * @throws where a file leaves a type of an export to inference, or names a package of the workspace
 */
export async function writeDeclarations(source: string, entries: readonly string[], outdir: string) {
  // It grows while it is walked.
  const modules = new Set(entries);
  for (const module of modules) {
    const text = declarationOf(`${module}.ts`, await readFile(join(source, `${module}.ts`), 'utf8'));
    for (const name of importsOf(text)) modules.add(posix.join(posix.dirname(module), name));
    const path = join(outdir, `${module}.d.ts`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

function declarationOf(fileName: string, source: string) {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, { ...options, fileName });
  const [first] = diagnostics;
  if (first) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
  if (/["']@vaultsvc\//.test(outputText)) throw new Error(`${fileName} exports a type of another lib`);
  return outputText;
}

/** The files that a declaration names, without extension. */
function importsOf(declaration: string) {
  return [...declaration.matchAll(/(?:from |import\()["'](\.[^"']+)\.js["']/g)].map(([, name = '']) => name);
}
