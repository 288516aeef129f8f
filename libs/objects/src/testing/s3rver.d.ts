// Declarations of what is used of s3rver, which has none.

declare module 's3rver' {
  import type { Server } from 'node:http';
  import type { AddressInfo } from 'node:net';
  import type FilesystemStore from 's3rver/lib/stores/filesystem.js';

  interface Options {
    readonly address: string;
    readonly port: number;
    readonly silent: boolean;
    readonly directory: string;
    readonly configureBuckets: readonly { readonly name: string }[];
  }

  class S3rver {
    constructor(options: Options);
    readonly store: FilesystemStore;
    /** Once it runs. */
    readonly httpServer: Server;
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
  export = S3rver;
}

declare module 's3rver/lib/models/object.js' {
  import type { Readable } from 'node:stream';

  class S3Object<Content extends Readable | null = Readable | null> {
    constructor(bucket: string, key: string, content: Content, metadata: S3Object.Metadata);
    bucket: string;
    key: string;
    content: Content;
    metadata: S3Object.Metadata;
    range?: { start: number; end: number };
  }
  namespace S3Object {
    type Metadata = Record<string, string | number | undefined>;
  }
  export = S3Object;
}

declare module 's3rver/lib/stores/filesystem.js' {
  import type { Readable } from 'node:stream';
  import type S3Object from 's3rver/lib/models/object.js';

  class FilesystemStore {
    readonly rootDirectory: string;
    getResourcePath(bucket: string, key: string, resource: 'object'): string;
    getMetadata(bucket: string, key: string): Promise<S3Object.Metadata>;
    putMetadata(bucket: string, key: string, metadata: S3Object.Metadata): Promise<void>;
    putObject(object: S3Object<Readable>): Promise<{ size: number; md5: string }>;
    getObject(bucket: string, key: string, options?: FilesystemStore.Range): Promise<S3Object | null>;
    listObjects(bucket: string, options: FilesystemStore.ListOptions): Promise<FilesystemStore.ObjectList>;
    deleteObject(bucket: string, key: string): Promise<void>;
  }
  namespace FilesystemStore {
    interface Range {
      start?: number;
      end?: number;
    }
    interface ListOptions {
      startAfter?: string;
      maxKeys?: number;
      prefix?: string;
    }
    interface ObjectList {
      objects: S3Object[];
      commonPrefixes: string[];
      readonly isTruncated: boolean;
    }
  }
  export = FilesystemStore;
}
