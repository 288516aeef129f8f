import { epochSeconds } from '@vaultsvc/database';

// The time is of the content, or of the first upload until it is complete, as size and type are.
const MODIFIED_AT = `(SELECT ${epochSeconds('w.modified_at')} FROM ingot_versions w
    WHERE w.id = coalesce(i.current_version, i.pending_version)) AS modified_at`;

/** The columns of an `Ingot`, of the row `i`. */
export const INGOT_COLUMNS = `i.id AS ingot_id, i.name, i.file_type, i.size_bytes, i.content_type, i.status, i.folder_id, i.managed_by,
  i.upload_source, i.access_count, i.total_bandwidth_bytes, ${epochSeconds('i.created_at')}, ${epochSeconds('i.updated_at')},
  ${MODIFIED_AT}`;
