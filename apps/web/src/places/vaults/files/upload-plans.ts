/** The steps between a drop and its uploads, in a file that is loaded with the first drop. */
export { ensureFolders } from './ensure-folders.js';
export { besideExisting } from './numbered-names.js';
export { planUploads, targetsOf } from './plan-uploads.js';
export { readTaken } from './taken-names.js';
