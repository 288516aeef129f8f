// npm test: everything that CI runs, and a last line of totals.
import { parseArgs } from 'node:util';
import { hasNodeModules, installNodeModules } from '../stack/node-modules.ts';
import { stopOnSignals } from './children.ts';
import { runJest } from './jest-run.ts';
import { processorSeconds } from './processor-time.ts';
import { commandsFor, printStep, runCheck, runSteps, stepNames } from './steps.ts';
import { seconds } from './times.ts';

const usage = `Runs everything that CI runs, and prints the slowest files and a last line of totals.

  npm test                            build, lint, format, types, docs, tests
  npm test -- libs/crypto             lint, format, types and tests of folders or files only
  npm test -- --only lint,types       these steps only: ${stepNames.join(', ')}
  npm test -- --only tests apps/e2e   both
  npm test -- --help                  prints this help

It installs what it lacks. On another version of Node: npm run test:node -- 24
`;

function readArguments(): { needsHelp: boolean; paths: string[]; only: readonly string[] } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  const ofPaths = positionals.length > 0 ? ['lint', 'format', 'types', 'tests'] : stepNames;
  const only = values.only?.split(',') ?? ofPaths;
  const unknown = only.find((name) => !(stepNames as readonly string[]).includes(name));
  if (unknown) throw new Error(`Unknown step ${unknown}. Known: ${stepNames.join(', ')}`);
  return { needsHelp: values.help, paths: positionals, only };
}

async function install() {
  const begunMs = Date.now();
  await installNodeModules('all');
  printStep('install', true, begunMs);
}

async function main() {
  const begunMs = Date.now();
  const { needsHelp, paths, only } = readArguments();
  if (needsHelp) return void process.stdout.write(usage);
  stopOnSignals();
  if (!hasNodeModules('all')) await install();
  const commands = commandsFor(paths);
  const { passed, failed } = await runSteps(only, (name) =>
    name === 'tests' ? runJest(paths) : runCheck(name, commands[name] ?? []),
  );
  const processor = processorSeconds();
  const used = processor === undefined ? '' : `, ${seconds(processor * 1000)} of processor time`;
  process.stdout.write(`\n  ${seconds(Date.now() - begunMs)}${used}\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

await main().catch((error) => {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.stdout.write('\n0 passed, 1 failed\n');
  process.exitCode = 1;
});
