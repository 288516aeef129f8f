export { downloadToFile, type DownloadedFile, type FileDownloadOptions } from './download-to-file.js';
export { withFileLock } from './file-lock.js';
export { FileResumeStore } from './file-resume-store.js';
export { FileSessionStore } from './file-session-store.js';
export { fileSource } from './file-source.js';
export { PrivateFile } from './private-file.js';
