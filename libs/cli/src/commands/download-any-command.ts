import type { Command } from '../command-line/command.js';
import { downloadCommand } from './download-command.js';
import { downloadFolder } from './download-folder.js';

/** `vaultsvc download`, of a file, or with `--recursive` of a folder. */
export const downloadAnyCommand: Command = {
  ...downloadCommand,
  summary: 'Downloads a file or a folder from a vault; run it again to resume.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    {
      name: 'file',
      summary: 'The name of the file in the vault, or its id; with --recursive the path of a folder.',
    },
  ],
  options: {
    ...downloadCommand.options,
    recursive: { summary: 'Download a folder with all that it holds; / is the whole vault.' },
  },
  notes: [
    ...(downloadCommand.notes ?? []),
    'With --recursive the local folder has the name of the folder, or that of --out. Nothing is written outside of it, and\n' +
      'no file is replaced. What failed is listed, and the exit code is 1; the same command goes on.',
  ],
  examples: [
    ...downloadCommand.examples,
    ['A folder, into ./november', 'vaultsvc download backups 2026/11 --recursive --out november'],
  ],
  run: (invocation) =>
    invocation.has('recursive') ? downloadFolder(invocation) : downloadCommand.run(invocation),
};
