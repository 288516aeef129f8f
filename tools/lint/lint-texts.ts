#!/usr/bin/env node
// Lints texts as files: reads [{ path, text }] from stdin, writes [[rule, message], …] per text.
// A separate process, because ESLint and Nx use require, which Jest's ES modules lack.
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const workspace = fileURLToPath(new URL('../..', import.meta.url));

const eslint = new ESLint({
  cwd: workspace,
  // The files need not exist, so no rule that asks for types can run.
  overrideConfig: [
    tseslint.configs.disableTypeChecked,
    { languageOptions: { parserOptions: { projectService: false } } },
  ],
});

const results = [];
for (const { path, text } of (await json(process.stdin)) as { path: string; text: string }[]) {
  const [result] = await eslint.lintText(text, { filePath: path });
  results.push((result?.messages ?? []).map(({ ruleId, message }) => [ruleId, message]));
}
process.stdout.write(JSON.stringify(results));
