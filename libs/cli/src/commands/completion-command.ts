import { completionScript, shells, type Shell } from '../command-line/completions.js';
import type { Command } from '../command-line/command.js';

/** `vaultsvc completion`, for all these commands: it is one of them itself. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Prints the completions for a shell.',
  arguments: [{ name: 'shell', summary: 'The shell.', choices: shells }],
  examples: [
    ['Complete in this bash', 'source <(vaultsvc completion bash)'],
    ['Complete in every fish', 'vaultsvc completion fish > ~/.config/fish/completions/vaultsvc.fish'],
    ['Complete in every zsh', 'vaultsvc completion zsh > "${fpath[1]}/_vaultsvc"'],
  ],
  run: async (invocation) => {
    const script = completionScript(invocation.argument('shell') as Shell, commands());
    invocation.context.output.result({ script }, script);
  },
});
