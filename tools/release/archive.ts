import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';

const ARCHIVE_BYTES_MAX = 256 * 2 ** 20;

/**
 * A gzipped tar archive without times and owners, in the order of names: equal files make equal bytes. Needs GNU tar.
 * @param paths in the folder, files or whole folders
 * @param prefix of all names in the archive
 */
export function archiveOf(folder: string, paths: readonly string[], prefix: string): Buffer {
  const options = [
    '--sort=name',
    '--mtime=@0',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--format=ustar',
  ];
  const modes = ['--mode=u+rwX,go+rX,go-w', `--transform=flags=r;s,^,${prefix}/,`];
  const tar = execFileSync('tar', ['-c', ...options, ...modes, '--null', '--files-from=-'], {
    cwd: folder,
    input: paths
      .toSorted()
      .map((path) => `${path}\0`)
      .join(''),
    maxBuffer: ARCHIVE_BYTES_MAX,
  });
  return gzipSync(tar, { level: 9 });
}
