import type { Command } from '../command-line/command.js';
import { printReport, readReport } from './send-report.js';

/** `vaultsvc notify status` */
export const notifyStatusCommand: Command = {
  name: 'notify status',
  summary: 'Shows what became of a send: each recipient, each channel, and who has opened it.',
  arguments: [{ name: 'send', summary: 'The id that notify send printed.', field: 'send_id' }],
  examples: [
    ['Who has opened it?', 'vaultsvc notify status ntsnd_Gk6wT2vQx8ZrN4mLb9YsPd'],
    ['What failed', 'vaultsvc notify status ntsnd_Gk6wT2vQx8ZrN4mLb9YsPd | grep failed'],
  ],
  run: async (invocation) => {
    const { api, output } = invocation.context;
    printReport(output, await readReport(api.client(), invocation.argument('send')));
  },
};
