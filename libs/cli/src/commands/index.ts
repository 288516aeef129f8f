import type { Command } from '../command-line/command.js';
import { auditExportCommand } from './audit-export-command.js';
import { auditVerifyCommand } from './audit-verify-command.js';
import { completionCommand } from './completion-command.js';
import { downloadCommand } from './download-command.js';
import { loginCommand } from './login-command.js';
import { logoutCommand } from './logout-command.js';
import { randomCommand } from './random-command.js';
import { readCommand } from './read-command.js';
import { secretsGetCommand } from './secrets-get-command.js';
import { secretsRunCommand } from './secrets-run-command.js';
import { secretsSetCommand } from './secrets-set-command.js';
import { sendCommand } from './send-command.js';
import { uploadCommand } from './upload-command.js';
import { vaultCreateCommand } from './vault-create-command.js';
import { vaultListCommand } from './vault-list-command.js';
import { vaultOpenCommand } from './vault-open-command.js';
import { vaultSealCommand } from './vault-seal-command.js';
import { vaultShareCommand } from './vault-share-command.js';
import { whoamiCommand } from './whoami-command.js';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  sendCommand,
  readCommand,
  vaultCreateCommand,
  vaultListCommand,
  vaultOpenCommand,
  vaultSealCommand,
  vaultShareCommand,
  uploadCommand,
  downloadCommand,
  secretsGetCommand,
  secretsSetCommand,
  secretsRunCommand,
  randomCommand,
  auditExportCommand,
  auditVerifyCommand,
  completionCommand(() => commands),
];
