import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import { textWidth, truncate } from './text-width.js';

let cli: CliFixture;
beforeAll(async () => void (cli = await CliFixture.start()));
afterAll(() => cli.stop());

const vault = (name: string, vault_id = 'vlt_1') => ({
  vault_id,
  name,
  ingot_count: 3,
  storage_bytes: 1_200,
});
const list = (...names: string[]) =>
  cli.api.answers({ 'GET /v1/vaults': { data: { vaults: names.map((name) => vault(name)), count: 1 } } });

describe('a table', () => {
  it('CLI-10: is aligned on a terminal, and no line is wider than it', async () => {
    list('a', 'b'.repeat(300), '\u6f22\u5b57'.repeat(40));
    const { stdout } = await cli.run('vault list', { isTTY: true, columns: 60 });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^ID +FILES +SIZE +NAME$/);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(60);
    expect(lines[2]).toMatch(/b…$/);
    expect(new Set(lines.slice(1, 3).map((line) => line.search(/[ab]/))).size).toBe(1);
  });

  it('CLI-10: shows ids whole, which other commands take, on a terminal of any width', async () => {
    const id = 'vlt_bgWsAkehBd4H3pKQkbgWsA';
    cli.api.answers({ 'GET /v1/vaults': { data: { vaults: [vault('b'.repeat(90), id)], count: 1 } } });
    for (const columns of [30, 60, 80]) {
      const { stdout } = await cli.run('vault list', { isTTY: true, columns });
      expect(stdout).toContain(`${id}  `);
      expect(stdout).toMatch(/b…$/m);
    }
    const { stdout } = await cli.run('vault list', { isTTY: true, columns: 0 });
    expect(Math.max(...stdout.trimEnd().split('\n').map(textWidth))).toBe(80);
  });

  it('CLI-10: has tabs between whole texts in a pipe, and no headings', async () => {
    list('a', 'b'.repeat(300));
    expect((await cli.run('vault list')).stdout).toBe(
      `vlt_1\t3\t1.2 kB\ta\nvlt_1\t3\t1.2 kB\t${'b'.repeat(300)}\n`,
    );
  });

  it('CLI-04: is one object with --json', async () => {
    list('a');
    expect(JSON.parse((await cli.run('vault list --json')).stdout)).toEqual({ vaults: [vault('a')] });
  });

  it('CLI-05: shows no control characters and keeps one line for each row', async () => {
    list('a\nb\u001b[2J\tc');
    for (const isTTY of [true, false]) {
      const { stdout } = await cli.run('vault list', { isTTY });
      expect(stdout.trimEnd().split('\n')).toHaveLength(isTTY ? 2 : 1);
      expect(stdout).not.toContain('\u001b');
      expect(stdout).toContain('a\ufffdb\ufffd[2J\ufffdc');
    }
  });

  it('CLI-10: is truncated between characters, by the columns that they take', () => {
    expect(truncate('\u6f22\u5b57\u6f22', 5)).toBe('\u6f22\u5b57…');
    expect(truncate('\u6f22\u5b57\u6f22', 4)).toBe('\u6f22…');
    expect(truncate('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(truncate('abc', 3)).toBe('abc');
  });
});
