import { useCallback, useEffect } from 'react';
import { filesTexts as texts } from '../../../texts/files.js';
import { Empty, Failed, Loading } from '../../../ui/states.js';
import { useMayWrite } from '../open/use-open-vault.js';
import { FileList } from './file-list.js';
import { fileRow, foldersIn, type FileRow } from './folder-rows.js';
import type { Folder, Ingot, useFiles } from './use-files.js';

interface Props {
  readonly folderId: string | null;
  readonly folders: readonly Folder[];
  readonly query: ReturnType<typeof useFiles>;
  /** Those of the pages so far. */
  readonly files: readonly Ingot[];
  readonly search: string;
}

/** The rows of a folder, folders first, or the files that a search has found in all of them. */
export function FolderContent({ folderId, folders, query, files, search }: Props) {
  const mayWrite = useMayWrite();
  const isSearch = search !== '';
  const rows: readonly FileRow[] = [...(isSearch ? [] : foldersIn(folderId, folders)), ...files.map(fileRow)];
  const more = useMore(query, rows.length);
  if (query.isPending) return <Loading />;
  if (query.isError && files.length === 0)
    return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (rows.length === 0 && query.hasNextPage && !query.isError) return <Loading />;
  const nothing = mayWrite ? texts.empty : texts.emptyReader;
  return (
    <>
      {isSearch && (
        <p className="hint" role="status">
          {query.isFetching ? texts.searching : texts.found(files.length, query.hasNextPage)}
        </p>
      )}
      {rows.length > 0 ? (
        <FileList rows={rows} folders={folders} isSearch={isSearch} onNearEnd={more} />
      ) : (
        <Empty icon="folder" text={isSearch ? texts.nothingFound : nothing} />
      )}
      {query.isFetchNextPageError && <Failed error={query.error} retry={() => void query.fetchNextPage()} />}
    </>
  );
}

/** Reads the next page; at once after a page without rows, which a page with filters may be. */
function useMore(query: Props['query'], rows: number): () => void {
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  useEffect(() => {
    if (rows === 0) more();
  }, [rows, more]);
  return more;
}
