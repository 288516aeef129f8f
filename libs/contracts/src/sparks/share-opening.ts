import { Example } from '../core/example.js';
import { EpochSeconds, Flag, Int, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { admissionErrors } from './link-opening.js';

const FILE_PATH = '/v1/files/{code}';

/** Path parameter of a durable share. Any text: malformed and unknown codes are answered alike. */
export class ShareParams {
  @Text({
    max: 512,
    raw: true,
    description: 'The code of a durable share: the last path segment of its URL.',
  })
  code: string;
}

/** What the page of a durable share shows (OPEN-33). */
@Example({ name: 'report.pdf', size_bytes: 1_048_576 })
export class DescribedFile {
  @Text({ max: 255 }) name: string;
  @Int({ min: 1 }) size_bytes: number;
  @Text({
    max: 255,
    optional: true,
    description:
      'With the setting `links_show_organization`: the organization, by the name that it gave itself.',
  })
  shared_by?: string;
}

const openingErrors = [...admissionErrors, 'LINK_SUSPENDED', 'LINK_VERIFICATION_REQUIRED'] as const;

/** Describes the file of a durable share, with the checks of an opening (OPEN-22). One-time links are unknown here. */
export const describeShare = operation({
  name: 'sparks.describe-share',
  summary:
    'Reads what the page of a durable share shows. A session identifies its user; an API key reads public shares, of any account.',
  http: { method: 'GET', path: FILE_PATH, status: 200 },
  access: { credential: 'key' },
  shardBy: 'code',
  params: ShareParams,
  unknown: 'LINK_NOT_FOUND',
  reply: DescribedFile,
  errors: openingErrors,
  repeatable: true,
});

/** Body of `openShare`. */
@Example({ confirmed: true })
export class ShareOpening {
  @Flag({ optional: true, description: 'Whether the opening is confirmed, where the account requires it.' })
  confirmed = false;

  @Flag({
    optional: true,
    description:
      'Issue a download URL that can be used until `expires_at`, so that a broken download can be resumed.',
  })
  resume?: boolean;

  @Text({
    max: 128,
    optional: true,
    description: 'From verify/confirm of the page, for shares that ask for an identity.',
  })
  verification_token?: string;
}

/** The file of a durable share, or `confirm`: nothing was opened; repeat the request with `confirmed`. */
@Example({ type: 'file', name: 'report.pdf', size_bytes: 1_048_576, content_type: 'application/pdf' })
export class OpenedSharedFile {
  @OneOf(['file', 'confirm']) type: 'file' | 'confirm';
  @Text({
    max: 2_048,
    optional: true,
    description: 'A download URL: single-use, or with `resume` usable until `expires_at`.',
  })
  download_url?: string;
  @Text({ max: 255, optional: true }) name?: string;
  @Int({ min: 1, optional: true }) size_bytes?: number;
  @Text({ max: 255, optional: true }) content_type?: string;
  @EpochSeconds({ optional: true, description: 'With `resume` only: the end of the URL.' })
  expires_at?: number;
  @Text({ max: 64, optional: true, description: 'With `resume` only: the version that the URL is bound to.' })
  version_id?: string;
  @Text({
    max: 64,
    optional: true,
    nullable: true,
    description: 'With `resume` only: as of the page. null: unknown.',
  })
  content_hash?: string | null;
  @EpochSeconds({
    optional: true,
    nullable: true,
    description: 'The modification time of the file, as it was uploaded. null: unknown.',
  })
  modified_at?: number | null;
}

/** Opens the file of a durable share, which stays open for others (OPEN-22, OPEN-33). */
export const openShare = operation({
  name: 'sparks.open-share',
  summary: 'Opens the file of a durable share: the answer has its download URL. The share stays valid.',
  http: { method: 'POST', path: `${FILE_PATH}/open`, status: 200 },
  access: { credential: 'key' },
  shardBy: 'code',
  params: ShareParams,
  unknown: 'LINK_NOT_FOUND',
  body: ShareOpening,
  bodyBytesMax: 4_096,
  reply: OpenedSharedFile,
  errors: openingErrors,
});
