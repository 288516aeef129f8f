import type { Command } from '../command-line/command.js';
import { auditExportCommand } from './audit-export-command.js';
import { auditVerifyCommand } from './audit-verify-command.js';
import { catCommand } from './cat-command.js';
import { completionCommand } from './completion-command.js';
import { downloadAnyCommand } from './download-any-command.js';
import { keysCreateCommand } from './keys-create-command.js';
import { keysListCommand } from './keys-list-command.js';
import { keysRevokeCommand } from './keys-revoke-command.js';
import { linksListCommand } from './links-list-command.js';
import { linksRevokeCommand } from './links-revoke-command.js';
import { loginCommand } from './login-command.js';
import { logoutCommand } from './logout-command.js';
import { lsCommand } from './ls-command.js';
import { mvCommand } from './mv-command.js';
import { notifySendCommand } from './notify-send-command.js';
import { notifyStatusCommand } from './notify-status-command.js';
import { peopleInviteCommand } from './people-invite-command.js';
import { peopleListCommand } from './people-list-command.js';
import { peopleRemoveCommand } from './people-remove-command.js';
import { peopleResendCommand } from './people-resend-command.js';
import { peopleRoleCommand } from './people-role-command.js';
import { randomCommand } from './random-command.js';
import { readCommand } from './read-command.js';
import { rmCommand } from './rm-command.js';
import { secretsGetCommand } from './secrets-get-command.js';
import { secretsImportCommand } from './secrets-import-command.js';
import { secretsRenderCommand } from './secrets-render-command.js';
import { secretsRunCommand } from './secrets-run-command.js';
import { secretsSetCommand } from './secrets-set-command.js';
import { sendCommand } from './send-command.js';
import { sessionsEndCommand } from './sessions-end-command.js';
import { sessionsListCommand } from './sessions-list-command.js';
import { settingsGetCommand } from './settings-get-command.js';
import { settingsSetCommand } from './settings-set-command.js';
import { sparksBurnCommand } from './sparks-burn-command.js';
import { sparksHistoryCommand } from './sparks-history-command.js';
import { sparksListCommand } from './sparks-list-command.js';
import { sparksResendCommand } from './sparks-resend-command.js';
import { uploadAnyCommand } from './upload-any-command.js';
import { vaultCreateCommand } from './vault-create-command.js';
import { vaultKeysCreateCommand } from './vault-keys-create-command.js';
import { vaultKeysListCommand } from './vault-keys-list-command.js';
import { vaultKeysRevokeCommand } from './vault-keys-revoke-command.js';
import { vaultListCommand } from './vault-list-command.js';
import { vaultOpenCommand } from './vault-open-command.js';
import { vaultSealCommand } from './vault-seal-command.js';
import { vaultShareCommand } from './vault-share-command.js';
import { whoamiCommand } from './whoami-command.js';

/** The commands by what they are for, in the order of the help. */
const sections: readonly (readonly [title: string, commands: readonly Command[]])[] = [
  ['Start', [loginCommand, logoutCommand, whoamiCommand]],
  [
    'Secrets that are read once',
    [
      sendCommand,
      readCommand,
      sparksListCommand,
      sparksHistoryCommand,
      sparksResendCommand,
      sparksBurnCommand,
      linksListCommand,
      linksRevokeCommand,
    ],
  ],
  [
    'Vaults',
    [
      vaultCreateCommand,
      vaultListCommand,
      vaultOpenCommand,
      vaultSealCommand,
      vaultShareCommand,
      vaultKeysListCommand,
      vaultKeysCreateCommand,
      vaultKeysRevokeCommand,
    ],
  ],
  ['Files', [uploadAnyCommand, downloadAnyCommand, lsCommand, catCommand, mvCommand, rmCommand]],
  [
    'Settings of programs',
    [
      secretsGetCommand,
      secretsSetCommand,
      secretsImportCommand,
      secretsRunCommand,
      secretsRenderCommand,
      randomCommand,
    ],
  ],
  ['Messages', [notifySendCommand, notifyStatusCommand]],
  [
    'Account',
    [
      keysListCommand,
      keysCreateCommand,
      keysRevokeCommand,
      peopleListCommand,
      peopleInviteCommand,
      peopleResendCommand,
      peopleRoleCommand,
      peopleRemoveCommand,
      sessionsListCommand,
      sessionsEndCommand,
      settingsGetCommand,
      settingsSetCommand,
      auditExportCommand,
      auditVerifyCommand,
    ],
  ],
  ['Shell', [completionCommand(() => commands)]],
];

/** All commands, in the order of the help. */
export const commands: readonly Command[] = sections.flatMap(([section, list]) =>
  list.map((command) => ({ ...command, section })),
);
