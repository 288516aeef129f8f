import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

export type ProgressStatus = 'pending' | 'active' | 'complete' | 'failed';

/** The body of a progress response (FRG-23). */
export interface Progress {
  readonly bytes_downloaded: number;
  readonly bytes_processed: number;
  readonly total_bytes: number;
  readonly status: ProgressStatus;
}

@Injectable()
export class ProgressRepository {
  constructor(private readonly database: Database) {}

  /** The progress of an ISTK's transfer, used or not; undefined for an unknown ISTK. */
  async find(lookup: Buffer): Promise<Progress | undefined> {
    const [row] = await this.database.query<ProgressRow>(findProgress, [lookup]);
    return row && (row.operation === 'encrypt' ? uploadOf(row) : downloadOf(row));
  }
}

interface ProgressRow {
  operation: 'encrypt' | 'decrypt';
  size_bytes: number;
  bytes_moved: number;
  is_used: boolean;
  is_ended: boolean;
  is_running: boolean;
  is_complete: boolean;
  upload_status: 'open' | 'finalized' | 'replaced' | 'dropped' | null;
  upload_bytes: number | null;
  offset_bytes: number | null;
}

/** A finished upload stays complete, even after its content was dropped. */
function uploadOf(row: ProgressRow): Progress {
  const total_bytes = row.upload_bytes ?? row.size_bytes;
  const bytes_processed = row.offset_bytes ?? 0;
  const status =
    row.upload_status === null ? statusOfUnused(row) : statusOfStarted(row, bytes_processed === total_bytes);
  return { bytes_downloaded: 0, bytes_processed, total_bytes, status };
}

function statusOfUnused({ is_ended: isEnded }: ProgressRow): ProgressStatus {
  return isEnded ? 'failed' : 'pending';
}

function statusOfStarted({ upload_status: status }: ProgressRow, isFinished: boolean): ProgressStatus {
  if (isFinished) return 'complete';
  return status === 'open' ? 'active' : 'failed';
}

/** A streaming ISTK may download the content repeatedly: its bytes count up to the size of one. */
function downloadOf(row: ProgressRow): Progress {
  const bytes = Math.min(row.bytes_moved, row.size_bytes);
  const status = row.is_used ? statusOfUsed(row) : statusOfUnused(row);
  return { bytes_downloaded: bytes, bytes_processed: bytes, total_bytes: row.size_bytes, status };
}

function statusOfUsed({ is_running: isRunning, is_complete: isComplete }: ProgressRow): ProgressStatus {
  if (isRunning) return 'active';
  return isComplete ? 'complete' : 'failed';
}

const findProgress = statement(
  'forge.find-progress',
  `SELECT i.operation, i.size_bytes, i.bytes_moved, i.is_complete, i.used_at IS NOT NULL AS is_used,
          i.revoked_at IS NOT NULL OR least(i.expires_at, i.idle_until) <= now() AS is_ended,
          i.bytes_moved > i.bytes_told AND i.revoked_at IS NULL AS is_running,
          u.status AS upload_status, u.size_bytes AS upload_bytes, u.offset_bytes
     FROM istks i
     LEFT JOIN uploads u ON u.version_id = i.version_id
    WHERE i.lookup = $1`,
);
