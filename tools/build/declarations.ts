import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Writes the declarations of a lib. Types are checked elsewhere; this infers those that the sources do not name.
 * @param configFile the settings, which name the entry points
 * @param source the folder of its sources; those of other libs are left out
 * @throws where a declaration names a package of the workspace, or cannot be written
 */
export function writeDeclarations(configFile: string, source: string, outdir: string) {
  const { fileNames, options } = settingsOf(configFile);
  const program = ts.createProgram(fileNames, { ...options, outDir: outdir, rootDir: undefined });
  // By its source: the paths of outputs depend on a common root of all.
  const write: ts.WriteFileCallback = (_path, text, _mark, _onError, sources) => {
    const path = sources?.[0]?.fileName ?? '';
    if (!path.startsWith(`${source}/`)) return;
    if (/["']@vaultsvc\//.test(text)) throw new Error(`${path} exports a type of another lib`);
    const target = join(outdir, path.slice(source.length).replace(/\.ts$/, '.d.ts'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  const { diagnostics } = program.emit(undefined, write, undefined, true);
  if (diagnostics.length > 0) throw new Error(textOf(diagnostics));
}

function settingsOf(configFile: string) {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const parsed = ts.getParsedCommandLineOfConfigFile(configFile, {}, host);
  if (!parsed) throw new Error(`${configFile} cannot be read`);
  return parsed;
}

function fail(diagnostic: ts.Diagnostic): never {
  throw new Error(textOf([diagnostic]));
}

function textOf(diagnostics: readonly ts.Diagnostic[]) {
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n');
}
