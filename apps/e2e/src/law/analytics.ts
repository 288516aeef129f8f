import { bool, form, id, int, is, iso, number, opt, orNull, text, time } from './notation.js';
import { law } from './row.js';
import { free, may, words } from './rules.js';

const day = form(/^\d{4}-\d{2}-\d{2}$/);

export const analytics = law({
  'GET /v1/analytics/overview': {
    law: 'RPT-01 RPT-02 RPT-03 RPT-04 RPT-05 RPT-06 RPT-07 AMB-31 AMB-55',
    status: 200,
    query: { period: may(free, 'all') },
    data: {
      period: text,
      period_start: time,
      period_end: time,
      period_days: int,
      sparks: {
        total: int,
        active: int,
        burned: int,
        expired: int,
        created_this_period: int,
        rate_per_day: number,
      },
      vaults: { total: int, active: int, created_this_period: int, rate_per_day: number },
      ingots: { total: int, storage_bytes: int, storage_mb: number, storage_gb: number },
      transfers: { total_access_count: int, total_bytes: int, total_mb: number, total_gb: number },
      activity: { total_operations: int, operations_per_day: number },
    },
  },
  'GET /v1/analytics/usage-over-time': {
    law: 'RPT-08 RPT-09 RPT-10 RPT-11 RPT-34',
    status: 200,
    query: { period: may(free, 'month'), metric: may(free, 'operations') },
    data: {
      period: text,
      metric: text,
      granularity: is(3_600, 86_400),
      granularity_label: is('hourly', 'daily'),
      start_time: time,
      end_time: time,
      data_points: [
        {
          timestamp: time,
          datetime: iso,
          operations: int,
          sparks_created: int,
          vaults_created: int,
          ingots_created: int,
        },
      ],
    },
  },
  'GET /v1/analytics/activity': {
    law: 'RPT-12 RPT-13 RPT-14 RPT-15 RPT-16',
    status: 200,
    query: { limit: may(free, 50), event_type: may(words), period: may(free) },
    data: {
      events: [
        {
          event_id: text,
          event_type: text,
          description: text,
          icon: text,
          reference_id: orNull(text),
          vault_id: orNull(id('vlt')),
          timestamp: time,
          datetime: iso,
        },
      ],
      count: int,
      period: text, // the echo
      filtered_by: orNull(text),
    },
  },
  'GET /v1/analytics/spark-activity': {
    law: 'RPT-18 RPT-19 RPT-20 RPT-21 RPT-22',
    status: 200,
    query: { days: may(free, 7) },
    data: {
      days: int,
      type: is('hourly', 'daily'),
      total_sparks: int,
      hourly_activity: opt([{ hour: int, count: int }]),
      daily_activity: opt([{ date: day, count: int }]),
      start_date: opt(day), // daily only
      end_date: opt(day),
    },
  },
  'GET /v1/analytics/vaults/{vault_id}': {
    law: 'RPT-23 RPT-24 RPT-25 RPT-26 RPT-27',
    status: 200,
    query: { period: may(free, 'month') },
    data: {
      vault: { vault_id: id('vlt'), name: text, status: is('sealed', 'unsealed'), created_at: time },
      statistics: {
        total_ingots: int,
        ingots_created_this_period: int,
        total_storage_bytes: int,
        total_storage_gb: form(/^\d+\.\d{2}$/),
        average_ingot_size_bytes: int,
        large_ingots_count: int,
        small_ingots_count: int,
        last_unsealed_at: orNull(time),
        unseal_count: int,
      },
      activity: { period: text, ingots_created: int, storage_added_bytes: int },
    },
  },
  'GET /v1/analytics/api-keys/{api_key_id}': {
    law: 'RPT-28 RPT-29 RPT-30',
    status: 200,
    data: {
      api_key: {
        api_key_id: id('key'),
        name: text,
        key_preview: text,
        status: is('active', 'expired', 'revoked'),
        created_at: time,
      },
      usage: {
        last_used_at: orNull(time),
        days_since_last_used: orNull(int), // null if never used
        days_since_creation: int,
        is_active: bool,
      },
      note: text,
    },
  },
});
