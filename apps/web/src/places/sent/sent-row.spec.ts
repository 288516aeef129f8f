import { describe, expect, it } from '@jest/globals';
import { sentRow, type LinkFacts } from './sent-row.js';

type Spark = Parameters<typeof sentRow>[0];

const spark: Spark = {
  spark_id: 'spk_1',
  account_id: 'acc_1',
  content_type: 'text/plain',
  status: 'active',
  size_bytes: 6,
  ttl_minutes: 1_440,
  created_at: 1_790_000_000,
  expires_at: 1_790_086_400,
  burned_at: null,
  time_remaining: 7_200,
};
const link: LinkFacts = { asset_id: 'spk_1', visibility: 'public', invites: [], status: 'active' };
const opened: Spark = { ...spark, status: 'ash', burned_at: 1_790_000_600 };

describe('A row of Sent', () => {
  it('says how long a secret still waits, and can be withdrawn', () => {
    expect(sentRow(spark, link)).toMatchObject({
      title: 'Text',
      state: { text: 'Waiting, 2 hours left' },
      isOpen: true,
      hasLink: true,
    });
  });

  it('SPK-25: says that a secret was opened, and cannot be withdrawn any more', () => {
    const row = sentRow(opened, { ...link, status: 'consumed' });
    expect(row.state.text).toMatch(/^Opened \d+ \w+ 2026/);
    expect(row.details).toContain('Opened by somebody who had the link');
    expect(row.isOpen).toBe(false);
  });

  it('names the identity that was proven', () => {
    const consumed: LinkFacts = { ...link, status: 'consumed', verified_by: 'bob@example.com' };
    expect(sentRow(opened, consumed).details.join()).toContain('bob@example.com');
  });

  it('says that a link was withdrawn while the secret is kept', () => {
    const row = sentRow(spark, { ...link, status: 'revoked' });
    expect(row).toMatchObject({ state: { text: 'Link withdrawn' }, isOpen: true, hasLink: false });
  });

  it('says that a secret expired unopened', () => {
    expect(sentRow({ ...spark, status: 'expired', time_remaining: 0 }, link).state.text).toBe(
      'Expired, never opened',
    );
  });

  it('has no code of a link', () => {
    const coded = { ...link, link_code: 'hush', link_url: 'https://links.test/hush' };
    expect(JSON.stringify(sentRow(spark, coded))).not.toContain('hush');
  });
});
