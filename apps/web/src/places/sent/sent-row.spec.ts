import { describe, expect, it } from '@jest/globals';
import {
  fileLinkFacts,
  linkFacts,
  sparkFacts,
  type FileLinkFacts,
  type HistoryItem,
  type LinkFacts,
  type SparkFacts,
} from './sent-facts.js';
import { sentRow, type Sources } from './sent-row.js';

const now = 1_790_000_700;
const rowOf = (sources: Partial<Sources>) => sentRow({ isLiveKnown: true, now, ...sources });

const spark: SparkFacts = {
  spark_id: 'spk_1',
  content_type: 'text/plain',
  status: 'active',
  created_at: 1_790_000_000,
  burned_at: null,
  time_remaining: 7_200,
};
const link: LinkFacts = { asset_id: 'spk_1', visibility: 'public', invites: [], status: 'active' };
const fileLink: FileLinkFacts = {
  link_id: 'l',
  asset_id: 'ing_1',
  vault_id: 'vlt_1',
  status: 'active',
  created_at: 1_790_000_000,
  expires_at: 1_790_086_400,
};
const opened: SparkFacts = { ...spark, status: 'ash', burned_at: 1_790_000_600 };

describe('A row of Sent', () => {
  it('says how long a secret still waits, and can be withdrawn', () => {
    expect(rowOf({ spark, link })).toMatchObject({
      title: 'Text',
      state: { text: 'Waiting, 2 hours left' },
      isOpen: true,
      hasLink: true,
    });
  });

  it('SPK-25: says that a secret was opened, and cannot be withdrawn any more', () => {
    const row = rowOf({ spark: opened, link: { ...link, status: 'consumed' } });
    expect(row.state.text).toMatch(/^Opened \d+ \w+ 2026/);
    expect(row.details).toContain('Opened by somebody who had the link');
    expect(row.isOpen).toBe(false);
  });

  it('SPK-54: has an invitation to send again while its link waits, and not afterwards', () => {
    const invited: LinkFacts = { ...link, visibility: 'invite_only', invites: ['bob@example.com'] };
    expect(rowOf({ spark, link: invited }).invitee).toBe('bob@example.com');
    expect(rowOf({ spark, link }).invitee).toBeUndefined();
    expect(rowOf({ spark, link: { ...invited, status: 'revoked' } }).invitee).toBeUndefined();
    expect(rowOf({ spark: opened, link: { ...invited, status: 'consumed' } }).invitee).toBeUndefined();
    expect(rowOf({ spark: { ...spark, status: 'reading' }, link: invited }).invitee).toBeUndefined();
  });

  it('names the identity that was proven', () => {
    const consumed: LinkFacts = { ...link, status: 'consumed', verified_by: 'bob@example.com' };
    expect(rowOf({ spark: opened, link: consumed }).details.join()).toContain('bob@example.com');
  });

  it('says that a link was withdrawn while the secret is kept', () => {
    const row = rowOf({ spark: spark, link: { ...link, status: 'revoked' } });
    expect(row).toMatchObject({ state: { text: 'Link withdrawn' }, isOpen: true, hasLink: false });
  });

  it('says that a secret expired unopened', () => {
    expect(rowOf({ spark: { ...spark, status: 'expired', time_remaining: 0 }, link: link }).state.text).toBe(
      'Expired, never opened',
    );
  });

  it('keeps no code of a link', () => {
    const secrets = { link_code: 'hush', link_url: 'https://links.test/hush' };
    const facts = [
      sparkFacts({ ...spark, ...secrets }),
      linkFacts({ ...link, ...secrets }),
      fileLinkFacts({ ...fileLink, ...secrets }),
    ];
    expect(JSON.stringify(facts)).not.toContain('hush');
  });
});

const item: HistoryItem = {
  type: 'spark',
  spark_id: 'spk_1',
  status: 'active',
  created_at: 1_790_000_000,
  created_by: { kind: 'person', id: 'usr_1', name: 'ann@example.com' },
  expires_at: 1_790_086_400,
  openings: [],
  has_more_openings: false,
  ended_at: null,
  ended_by: null,
};
const visit = {
  opened_at: 1_790_000_600,
  opened_by: { kind: 'visitor', id: '1', name: null },
  verified_by: 'bob@example.com',
} as const;
const fileItem: HistoryItem = {
  ...item,
  type: 'ingot',
  spark_id: undefined,
  link_id: 'l',
  vault_id: 'vlt_1',
};

describe('SPK-53: a row of Sent after the live lists have forgotten it', () => {
  it('says when it was opened, and by whom', () => {
    const row = rowOf({ item: { ...item, status: 'opened', label: 'Test server', openings: [visit] } });
    expect(row).toMatchObject({ title: 'Test server', isOpen: false, hasLink: false, isSettling: false });
    expect(row.state.text).toMatch(/^Opened \d+ \w+ 2026/);
    expect(row.details.join()).toContain('Opened by bob@example.com, who proved it with a code');
    expect(row.details).toContain('by ann@example.com');
  });

  it('names no creator to the creator', () => {
    expect(rowOf({ item, myId: 'usr_1' }).details.join()).not.toContain('ann@example.com');
  });

  it('says who has withdrawn it, and when', () => {
    const ended = { ended_at: 1_790_000_600, ended_by: item.created_by };
    const row = rowOf({ item: { ...item, status: 'withdrawn', ...ended } });
    expect(row.state.text).toMatch(/^Withdrawn \d+ \w+ 2026/);
    expect(row.details).toContain('Withdrawn by ann@example.com');
  });

  it('offers no withdrawal of what has just ended, of which the history has not heard', () => {
    expect(rowOf({ item })).toMatchObject({ state: { text: 'Ended' }, isOpen: false, isSettling: true });
  });

  it('takes for open what older pages of the live lists may have', () => {
    expect(rowOf({ item, isLiveKnown: false })).toMatchObject({ isOpen: true, isSettling: false });
  });

  it('leads a link of a file, which stays, to its vault', () => {
    const durable = { ...fileItem, expires_at: null, openings: [visit, visit] };
    expect(rowOf({ item: durable })).toMatchObject({
      title: 'Link to a file of a vault',
      state: { text: 'Works until it is withdrawn' },
      sparkId: undefined,
      fileLink: undefined,
      vaultId: 'vlt_1',
    });
  });
});

describe('WEB-16: a row of Sent about a link of a file that opens once', () => {
  it('can be withdrawn while it works, whether or not the live list has it', () => {
    const withdrawable = { linkId: 'l', createdAt: 1_790_000_000 };
    expect(rowOf({ item: fileItem, fileLink })).toMatchObject({
      state: { text: 'Waiting, 24 hours left' },
      fileLink: withdrawable,
      isSettling: false,
    });
    expect(rowOf({ item: fileItem }).fileLink).toEqual(withdrawable);
  });

  it.each(['revoked', 'consumed'] as const)(
    'has ended once it is %s, before the history says why',
    (status) => {
      expect(rowOf({ item: fileItem, fileLink: { ...fileLink, status } })).toMatchObject({
        state: { text: 'Ended' },
        fileLink: undefined,
        isOpen: false,
        isSettling: true,
      });
    },
  );

  it('cannot be withdrawn after it was opened', () => {
    const row = rowOf({ item: { ...fileItem, status: 'opened', openings: [visit] }, fileLink });
    expect(row).toMatchObject({ fileLink: undefined, isOpen: false, isSettling: false });
  });

  it('is read again until the history has it', () => {
    expect(rowOf({ item: fileItem, isUnlisted: true }).isSettling).toBe(true);
  });
});
