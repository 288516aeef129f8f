export { DiskObjects, type DiskSettings } from './disk-objects.js';
export { Interrupted, NotFound, ObjectsError, Unavailable, WrongLength } from './errors.js';
export * from './objects.js';
export { storeCheck } from './store-check.js';
export { ObjectsConfig, type ObjectsSettings } from './objects-config.js';
export { createObjects, ObjectsModule } from './objects.module.js';
export type { S3Settings } from './s3-client.js';
export { S3Objects } from './s3-objects.js';
