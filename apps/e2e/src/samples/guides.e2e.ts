import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ensureTools } from '../../../../tools/stack/servers/install.ts';
import { mailedCode } from '../links/received-codes.js';
import { folderOfNewAccount } from './guide-account.js';
import { commandsOf, pages, scriptsOf, workspace } from './guide-pages.js';
import { pasteIntoBash } from './guide-shell.js';

/** Pages whose commands are pasted into one shell, and what they must print, in this order. */
interface Guide {
  readonly title: string;
  readonly pages: readonly string[];
  readonly prints: readonly RegExp[];
  /** Where the commands are run; a temporary folder by default. */
  readonly cwd?: string;
  /** Commands that report a problem, as the page says. */
  readonly reports?: RegExp;
}

/** Blocks that are not run, by a text in them. */
const skipped: ReadonlyMap<string, string> = new Map([
  ['npm start ', 'It starts a stack and this test.'],
  ['npm run build ', 'It builds the whole platform; the next block of the page runs the command line.'],
  ['-o checkpoint', 'A new stack publishes its first checkpoint after an hour.'],
]);

const isSkipped = (block: string) => [...skipped.keys()].some((text) => block.includes(text));

const guides: readonly Guide[] = [
  {
    title: 'README.md',
    pages: ['README.md'],
    prints: [/"payload":"hello"/, /"code":"FORBIDDEN"/, /"access_token":"ey/],
  },
  {
    title: 'docs/files.md and docs/links.md',
    pages: ['docs/files.md', 'docs/links.md'],
    prints: [
      /^hello, vault$/m,
      /^http\S+\/\w{22}$/m,
      /^200$/m,
      /^\{"type":"content","once":true\}$/m,
      /"payload":"hello, visitor"/,
      /"state":"consumed"/,
      /"methods":\["email"\]/,
      /"sent":true/,
      /"payload":"for Ann alone"/,
      /"type":"file","name":"hello.txt","size_bytes":13/,
      /^hello, vault$/m,
    ],
  },
  {
    title: 'docs/structured-ingots.md',
    pages: ['docs/structured-ingots.md'],
    prints: [
      /"key_count": 3/,
      /"DB_PASSWORD",\s+"hosts",\s+"retries"/,
      /"missing_keys": \[\s+"nothing"/,
      /^"correct horse"$/m,
      /^"FORBIDDEN"$/m,
      /"version": 2,\s+"key_count": 2/,
      /^204$/m,
    ],
  },
  {
    title: 'docs/entropy.md',
    pages: ['docs/entropy.md'],
    prints: [
      /"value": "[0-9a-f]{64}"/,
      /"value": ".{24,}",\s+"format": "password"/,
      /"value": "[0-9a-f-]{36}"/,
      /^\[\d+(,\d+){7}\]$/m,
      /^[0-9a-f]{64}$/m,
    ],
  },
  {
    title: 'docs/sessions.md',
    pages: ['docs/sessions.md'],
    prints: [
      /"user": null/,
      /"organization_name": "Ana & Co."/,
      /"credential": "session"/,
      /"session_type": "full"/,
      /^204$/m,
      /"AUTHENTICATION_ERROR"/,
    ],
  },
  {
    title: 'docs/notify.md',
    pages: ['docs/notify.md'],
    prints: [
      /"title": "Your contract"/,
      /"payload": "Rent from May: 900 euros."/,
      /"action": "sign",\s+"at"/,
      /"receipts": \[/,
    ],
  },
  {
    title: 'docs/billing.md',
    pages: ['docs/billing.md'],
    prints: [
      /"plan": "default"/,
      /"plan": "team"/,
      /"status": "open"/,
      /"plan": "business"/,
      /"status": "paid"/,
      /"seats": 12/,
    ],
  },
  {
    title: 'docs/integrations.md',
    pages: ['docs/integrations.md'],
    prints: [
      /"installed": \[\]/,
      /\{"challenge":"abc"\}/,
      /A secret was sent to you/,
      /"sparks_created": 1/,
      /\{"status":200,"text":""\}/,
      /"type":\s*"modal"/,
      /\{"status":200/,
      /"uninstalled": true/,
    ],
  },
  {
    title: 'docs/idempotency.md',
    pages: ['docs/idempotency.md'],
    prints: [/^"spk_\w{22}"$/m, /^Idempotent-Replayed: true/im, /^"This Idempotency-Key was used/m],
  },
  {
    title: 'docs/cli.md',
    pages: ['docs/cli.md'],
    cwd: workspace,
    // Notes of the commands on standard error.
    reports:
      /^(Logged in to|Anyone with the link|vaultsvc: This link has already| {2}(reason|more|request) |\S+ {2}\[|The vault backups|Its master key|Uploaded|Downloaded|Deleted|Version 1 has)/,
    prints: [
      /^http\S+\/\w{22}$/m,
      /^correct horse$/m,
      /^exit 4$/m,
      /^ing_\w{22}$/m,
      /restored\.dump$/m,
      /^1000$/m,
      /^photos\/2026\/one\.txt$/m,
      /^<concealed by vaultsvc>$/m,
      /^hunter2$/m,
      /^password=hunter2$/m,
      /INTACT/,
    ],
  },
  {
    title: 'docs/audit.md',
    pages: ['docs/audit.md'],
    cwd: workspace,
    reports: /^(audit verify -|npm run -s audit -- "\$@")$/,
    prints: [
      /^INTACT, as far as it was verified\.$/m,
      /^INTACT\.$/m,
      /edited, first bad entry: 50/,
      /removed, first bad entry: 7/,
      /cut-tail/,
    ],
  },
];

/** The patterns that do not follow each other in the text. */
function missing(text: string, patterns: readonly RegExp[]): string[] {
  let rest = text;
  return patterns.flatMap((pattern) => {
    const found = pattern.exec(rest);
    if (!found) return [String(pattern)];
    rest = rest.slice(found.index + found[0].length);
    return [];
  });
}

beforeAll(() => ensureTools(['curl', 'jq', 'openssl']));

const newestCode = () => mailedCode('ann@example.com');

describe('OPEN-56: the commands of the guides', () => {
  it.each(guides)(
    'run as they are pasted into bash, and print what the page says: $title',
    async ({ pages: ofGuide, cwd, prints, reports }) => {
      const { folder, env } = await folderOfNewAccount();
      for (const page of ofGuide)
        for (const [name, text] of scriptsOf(page)) writeFileSync(join(folder, name), text);
      const commands = ofGuide.flatMap(commandsOf).filter((block) => !isSkipped(block));
      const own = commands.map((text) => text.replaceAll('/tmp/', `${folder}/`));
      const { output, failures } = await pasteIntoBash(own, { cwd: cwd ?? folder, env }, newestCode);
      expect(failures.filter((command) => !reports?.test(command))).toEqual([]);
      expect({ missing: missing(output, prints), output }).toEqual({ missing: [], output });
      rmSync(folder, { recursive: true });
    },
    300_000, // The command line starts once for each command of its guide.
  );

  it('are all run, but for those with a reason', () => {
    const known = guides.flatMap((guide) => guide.pages);
    const others = pages.filter((page) => !known.includes(page)).flatMap(commandsOf);
    expect(others).toEqual([]);
    const blocks = known.flatMap(commandsOf);
    for (const text of skipped.keys()) expect(blocks.filter((block) => block.includes(text))).toHaveLength(1);
  });
});
