import { cycleViolation } from './cycles.ts';
import { fileNamesRule } from './file-names.rule.ts';
import { folderViolation } from './folders.ts';
import { importRule } from './imports.rule.ts';
import { importViolation } from './layers.ts';
import { syntaxRule } from './syntax.rule.ts';

// oxlint loads the default export of a plugin.
export default {
  meta: { name: 'vaultsvc' },
  rules: {
    imports: importRule(importViolation),
    folders: importRule(folderViolation),
    cycles: importRule(cycleViolation),
    'file-names': fileNamesRule,
    syntax: syntaxRule,
  },
};
