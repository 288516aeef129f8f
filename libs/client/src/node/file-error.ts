/** Why a file cannot be written. */
export type FileProblem = 'EXISTS' | 'UNWRITABLE' | 'NO_ROOM' | 'BUSY';

/** A file that cannot be written where it is wanted. Nothing of the user's was changed. */
export class FileError extends Error {
  override readonly name = 'FileError';

  constructor(
    readonly problem: FileProblem,
    readonly path: string,
    message: string,
    options?: { readonly cause?: unknown },
    /** Where the complete content is instead. */
    readonly kept?: string,
  ) {
    super(message, options);
  }
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is no folder',
  EACCES: 'you may not write to its folder',
  EPERM: 'you may not write to its folder',
  EROFS: 'its folder cannot be written to',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota of the disk is used up',
  EFBIG: 'files of this size are not allowed here',
  ENAMETOOLONG: 'the name is too long',
};

/** The error of a call of the file system, in words. */
export function cannotWrite(path: string, error: unknown): FileError {
  if (error instanceof FileError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const problem = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) ? 'NO_ROOM' : 'UNWRITABLE';
  return new FileError(problem, path, `${path} cannot be written: ${causes[code] ?? message}.`, {
    cause: error,
  });
}

export function alreadyExists(path: string): FileError {
  return new FileError('EXISTS', path, `${path} exists already.`);
}
