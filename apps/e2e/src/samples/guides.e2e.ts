import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ensureTools } from '../../../../tools/stack/servers/install.ts';
import { mailedCode } from '../links/received-codes.js';
import { folderOfNewAccount } from './guide-account.js';
import { commandsOf, localSectionsOf, pages, scriptsOf, workspace } from './guide-pages.js';
import { pasteInto, shells, syntaxErrors } from './guide-shell.js';

/** Pages whose commands are pasted into one shell, and what they must print, in this order. */
interface Guide {
  readonly title: string;
  readonly pages: readonly string[];
  readonly prints: readonly RegExp[];
  /** Commands that report a problem, as the page says, and lines on stderr. */
  readonly reports?: RegExp;
}

/** Blocks that are not run, by a text in them. */
const skipped: ReadonlyMap<string, string> = new Map([
  ['/docs/install/vaultsvc.mjs', 'The command line of this build is on PATH.'],
  ['/docs/install/vaultsvc-client.tgz', 'npm would fetch what the client depends on from the registry.'],
  ['-o checkpoint', 'A new stack publishes its first checkpoint after an hour.'],
]);

const isSkipped = (block: string) => [...skipped.keys()].some((text) => block.includes(text));

const CLI_NOTES =
  /^(Logged in to|Anyone with the link|vaultsvc: This (link|Spark) has (already )?been| {2}(reason|more|request) |\S+ {2}\[|The vault |Its master key|Uploaded|Downloaded|Deleted|Version 1 has)/;

const guides: readonly Guide[] = [
  {
    title: 'docs/quickstart.md',
    pages: ['docs/quickstart.md'],
    reports: CLI_NOTES,
    prints: [
      /"organization_name": "Guides"/,
      /^correct horse\nThis Spark has been burned\.$/m,
      /^correct horse\nexit 4$/m,
      /^http\S+\/\w{22}(?:\w{2})?\nfor a visitor$/m,
      /^http\S+\/\w{22}(?:\w{2})?\nfor a visitor$/m,
      /"vault_id": "vlt_\w{22}",\s+"expires_at": \d+/,
      /^hello, vault$/m,
      /^ing_\w{22}\n\S+copy\.txt\nhello, vault$/m,
      /^organization: Guides\npayload: correct horse\nagain: FORBIDDEN\nlink: http\S+\nvault: vlt_\w{22}\nfile: hello, vault$/m,
    ],
  },
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
      /^http\S+\/\w{22}(?:\w{2})?$/m,
      /^200$/m,
      /^\{"type":"content","once":true\}$/m,
      /"payload":"hello, visitor"/,
      /"state":"consumed"/,
      /"methods":\["email"\]/,
      /"sent":true/,
      /"payload":"for Ann alone"/,
      /"type":"file","name":"hello.txt","size_bytes":13/,
      /^hello, vault$/m,
      /^([0-9a-f]{64})\n\d{10}\n\1 {2}from-link.txt$/m,
    ],
  },
  {
    title: 'docs/vault-keys.md',
    pages: ['docs/vault-keys.md'],
    prints: [
      /"ttl_seconds": 600/,
      /"dvak_type": "nhi",\s+"access_level": "read",\s+"last_4_chars": "\w{4}"/,
      /^0\n"VAT_READ_ONLY"$/m,
      /^"revoked"\n"AUTHENTICATION_ERROR"\n"DVAK_INVALID"$/m,
      /"status": "revoked",\s+"use_count": 1/,
      /^204\n"AUTHENTICATION_ERROR"$/m,
    ],
  },
  {
    title: 'docs/people.md',
    pages: ['docs/people.md'],
    prints: [
      /"role": "member",\s+"seat": "full",\s+"status": "invited"/,
      /"role":"owner","status":"active"/,
      /"role":"member","status":"invited"/,
      /^"admin"\n204$/m,
      /"key_preview": "vk_live_\.\.\.\w{4}"/,
      /^"api_key"$/m,
      /"name":"Backup job","status":"active"/,
      /^"revoked"\n"AUTHENTICATION_ERROR"$/m,
    ],
  },
  {
    title: 'docs/webhooks.md',
    pages: ['docs/webhooks.md'],
    prints: [/^401$/m, /"url": "http:\/\/127\.0\.0\.1:\d+/, /^"pending"$/m, /^[0-9a-f-]{36} Your contract$/m],
  },
  {
    title: 'docs/versions.md',
    pages: ['docs/versions.md'],
    prints: [
      /^"\S+"$/m,
      /^x-ignored: colour/im,
      /^"FIELD_MISSPELLED"$/m,
      /"version":1,"key_count":1/,
      /"version":2,"key_count":1/,
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
      /^([0-9a-f]{64})\n\1$/m,
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
    prints: [/^"spk_\w{22}(?:\w{2})?"$/m, /^Idempotent-Replayed: true/im, /^"This Idempotency-Key was used/m],
  },
  {
    title: 'docs/cli.md',
    pages: ['docs/cli.md'],
    reports: CLI_NOTES,
    prints: [
      /^http\S+\/\w{22}(?:\w{2})?$/m,
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
    // The verdict on an edited export has exit code 1; it is on the standard output.
    reports: /^((vaultsvc )?audit verify -|npm run -s audit -- "\$@"|sed .*|head .*)$/,
    prints: [
      /audit\.jsonl\nINTACT, as far as it was verified\.$/m,
      /edited, first bad entry: 1$/m,
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

/** Replaces what readers of the page replace, a temporary folder and addresses. Commands that need a clone run in this one. */
function adapted(block: string, folder: string, address: string): string {
  const text = block
    .replaceAll('/tmp/', `${folder}/`)
    .replace(/\b(ann|ada|ben)(?=@example\.com)/g, `$1.${address}`);
  return text.includes('npm run ') ? `cd '${workspace}'\n${text}` : text;
}

/**
 * Every guide in both shells: expansions, `echo` and quoting differ in ways that a check of syntax does not see. Most take a second
 * or two, and the long ones stopped building the command line for each command when it came from the build.
 */
const cases = guides.flatMap((guide) => shells.map((shell) => ({ ...guide, shell })));

beforeAll(() => ensureTools(['curl', 'jq', 'openssl', 'zsh']));

describe('OPEN-56: the commands of the guides', () => {
  it.each(cases)(
    'run as they are pasted into $shell, and print what the page says: $title',
    async ({ pages: ofGuide, prints, reports, shell }) => {
      const { folder, env } = await folderOfNewAccount();
      for (const page of ofGuide)
        for (const [name, text] of scriptsOf(page)) writeFileSync(join(folder, name), text);
      const commands = ofGuide.flatMap(commandsOf).filter((block) => !isSkipped(block));
      const address = randomUUID();
      const own = commands.map((block) => adapted(block, folder, address));
      const newestCode = () => mailedCode(`ann.${address}@example.com`);
      const { output, failures } = await pasteInto(shell, own, { cwd: folder, env }, newestCode);
      expect(failures.filter((command) => !reports?.test(command))).toEqual([]);
      expect({ missing: missing(output, prints), output }).toEqual({ missing: [], output });
      rmSync(folder, { recursive: true });
    },
    300_000, // The command line starts once for each command of its guide.
  );

  it('are complete for both shells, and have neither comments nor prompts, which zsh understands in scripts alone', async () => {
    const blocks = pages.flatMap(commandsOf);
    for (const shell of shells) expect(await syntaxErrors(shell, blocks.join('\n'))).toBe('');
    for (const block of blocks) expect(block).not.toMatch(/(^|\s)#(\s|$)|\bread -\w*p/m);
  });

  it('need a local stack only in sections that say so', () => {
    const guidesOfDeployments = pages.filter((page) => page !== 'README.md');
    const sections = guidesOfDeployments.flatMap(localSectionsOf);
    expect(sections).toHaveLength(3);
    for (const heading of sections) expect(heading).toMatch(/local stack$/);
  });

  it('are all run, but for those with a reason', () => {
    const known = guides.flatMap((guide) => guide.pages);
    const others = pages.filter((page) => !known.includes(page)).flatMap(commandsOf);
    expect(others).toEqual([]);
    const blocks = known.flatMap(commandsOf);
    for (const text of skipped.keys()) expect(blocks.filter((block) => block.includes(text))).toHaveLength(1);
  });
});
