import { ApiError, createClient } from '@vaultsvc/client';
import { LinkVisitor, type LinkContent } from '../api/link-visitor.js';
import type { DescribedFile, LinkAddress, OpenedFile } from './link-note.js';

/** What a link is opened with. */
export interface OpeningRequest extends LinkAddress {
  readonly described: DescribedFile;
  /** Of a verified visitor. */
  readonly token?: string;
}

/** The answer of an opening, which processes pass on as JSON. */
export type OpeningAnswer =
  | { readonly opened: OpenedFile }
  | { readonly refusal: ConstructorParameters<typeof ApiError>[0] }
  | { readonly problem: string };

/** Releases that can resume name more than others. */
interface ResumableContent extends LinkContent {
  readonly expires_at?: number;
  readonly version_id?: string;
  readonly content_hash?: string | null;
  readonly modified_at?: number | null;
}

/** Opens the link of a file, which is consumed by it. */
export async function answerOf({ origin, code, token, described }: OpeningRequest): Promise<OpeningAnswer> {
  try {
    const visitor = new LinkVisitor(createClient({ url: origin }), code);
    const { download_url: url = '', ...content }: ResumableContent = await visitor.openFile(token);
    const { expires_at: expiresAt, version_id: versionId, content_hash: contentHash } = content;
    const { modified_at: modifiedAt } = content;
    return { opened: { ...described, url, expiresAt, versionId, contentHash, modifiedAt } };
  } catch (error) {
    if (!(error instanceof ApiError))
      return { problem: error instanceof Error ? error.message : String(error) };
    const { status, code: name, message, details, requestId, retryAfter } = error;
    return { refusal: { status, code: name, message, details, requestId, retryAfter } };
  }
}

/** @throws the refusal as an ApiError */
export function openedFileOf(answer: OpeningAnswer): OpenedFile {
  if ('opened' in answer) return answer.opened;
  throw 'refusal' in answer ? new ApiError(answer.refusal) : new Error(answer.problem);
}
