import { readFile } from 'node:fs/promises';
import type { Command } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';
import { exitCodes } from '../exit-codes.js';
import { CliError, UsageError } from '../failures.js';
import { Template } from '../secrets/template.js';
import { NewFile, newFilePath } from '../transfers/new-file.js';
import { utf8Text } from '../utf8-text.js';
import { ingotReference } from './download-command.js';
import { isStdout } from './out-option.js';
import { readValues } from './secret-values.js';
import { withOpenVault } from './vault-access.js';

/** `vaultsvc secrets render` */
export const secretsRenderCommand: Command = {
  name: 'secrets render',
  summary: 'Fills a template with values of a set of secrets.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'set', summary: 'Name of the set (a structured ingot).' },
    { name: 'template', summary: 'A text with {{ KEY }}, or - for the standard input.', isFile: true },
  ],
  options: {
    out: {
      value: 'file',
      summary: 'Write to a new file with mode 0600; - is the standard output, the default.',
      isFile: true,
    },
  },
  notes: [
    'A key that does not exist is an error, and nothing is written. \\{{ stands for two braces as they are. Values are put\n' +
      'in exactly, without quotes.',
  ],
  examples: [
    ['A file of settings', 'vaultsvc secrets render team shop nginx.conf.template --out nginx.conf'],
    ['From a pipe', `echo 'password={{ DB_PASSWORD }}' | vaultsvc secrets render team shop -`],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const out = isStdout(invocation) ? undefined : invocation.option('out');
    const template = new Template(await readTemplate(invocation));
    const file =
      out === undefined
        ? undefined
        : await NewFile.create(newFilePath(out, out), 0, context.environment.stateDir);
    try {
      const text = template.render(await valuesFor(invocation, template));
      if (!file && context.output.isJson) return context.output.result({ text }, '');
      if (!file) return await context.output.bytes(Buffer.from(text));
      await file.complete([Buffer.from(text)], context.signal);
      context.output.result({ path: file.path }, file.path);
    } finally {
      await file?.discard();
    }
  },
};

async function readTemplate(invocation: Invocation): Promise<string> {
  const path = invocation.argument('template');
  const { terminal } = invocation.context;
  const text = utf8Text(path === '-' ? await terminal.readInput() : await readFile(path));
  if (text === undefined) throw new UsageError('The template is not UTF-8.');
  return text;
}

async function valuesFor(invocation: Invocation, { names }: Template): Promise<ReadonlyMap<string, string>> {
  const set = ingotReference(invocation.argument('set'));
  const { values, missing } = await withOpenVault(invocation.context, invocation.argument('vault'), (vault) =>
    readValues(vault, set, names),
  );
  if (missing.length > 0)
    throw new CliError(`There is no key ${missing.join(', ')}. Nothing was written.`, exitCodes.gone);
  return values;
}
