import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ConfigError, loadConfig } from '@vaultsvc/config';
import { wireSettings } from '@vaultsvc/testing/wire';
import { createObjects, DiskObjects, Objects, ObjectsConfig, ObjectsModule, S3Objects } from './index.js';

const needed = {
  PROFILE: 'local',
  NATS_URL: 'nats://127.0.0.1',
  ...wireSettings('forge'),
  DATABASE_URL: 'postgres://127.0.0.1/x',
  DATABASE_SCHEMA: 'forge',
};
const settings = (environment: Record<string, string>) =>
  loadConfig(ObjectsConfig, { ...needed, ...environment }).objects;
const s3 = { S3_BUCKET: 'b', S3_REGION: 'eu-central-1' };

describe('the settings of the object store', () => {
  it('are a folder or a bucket, and exactly one of them', () => {
    expect(createObjects(settings({ OBJECTS_DIR: '/var/objects' }))).toBeInstanceOf(DiskObjects);
    expect(createObjects(settings(s3))).toBeInstanceOf(S3Objects);
    for (const wrong of [{}, { ...s3, OBJECTS_DIR: '/var/objects' }])
      expect(() => settings(wrong)).toThrow('S3_BUCKET or OBJECTS_DIR must be set, and not both.');
  });

  it('are complete: a bucket needs a region, a key id its secret', () => {
    expect(() => settings({ S3_BUCKET: 'b' })).toThrow('S3_REGION is missing');
    expect(() => settings({ ...s3, S3_ACCESS_KEY_ID: 'id' })).toThrow('set together');
    expect(() => settings({ ...s3, S3_SECRET_ACCESS_KEY: 'secret' })).toThrow('set together');
    expect(() => settings({})).toThrow(ConfigError);
  });

  it('are safe by default: durable on a disk, plain bodies for S3', () => {
    expect(settings({ OBJECTS_DIR: 'o' })).toEqual({ disk: { dir: 'o', fsync: true } });
    expect(settings({ OBJECTS_DIR: 'o', OBJECTS_FSYNC: 'false' })).toEqual({
      disk: { dir: 'o', fsync: false },
    });
    expect(settings(s3)).toEqual({
      s3: {
        bucket: 'b',
        region: 'eu-central-1',
        pathStyle: false,
        checksums: 'WHEN_REQUIRED',
        timeoutMs: 10_000,
        connectionsMax: 1_000,
      },
    });
  });

  it('are passed to the client, and contain no readable secret', () => {
    const whole = settings({
      ...s3,
      S3_ENDPOINT: 'https://s3.example.com',
      S3_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'canary-secret',
      S3_CHECKSUMS: 'WHEN_SUPPORTED',
      S3_TIMEOUT_MS: '500',
      S3_CONNECTIONS_MAX: '7',
    });
    expect(whole).toMatchObject({
      s3: {
        endpoint: 'https://s3.example.com',
        pathStyle: true,
        checksums: 'WHEN_SUPPORTED',
        timeoutMs: 500,
        connectionsMax: 7,
      },
    });
    expect(inspect(whole, { depth: 9 }) + JSON.stringify(whole)).not.toContain('canary-secret');
  });
});

describe('the module of the object store', () => {
  it('provides the configured store, opened', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'vaultsvc-module-'));
    const dir = join(parent, 'objects');
    const config = loadConfig(ObjectsConfig, { ...needed, OBJECTS_DIR: dir });
    @Module({})
    class Settings {}
    const context = await NestFactory.createApplicationContext(
      {
        module: Settings,
        global: true,
        imports: [ObjectsModule.forRoot(ObjectsConfig)],
        providers: [{ provide: ObjectsConfig, useValue: config }],
        exports: [ObjectsConfig],
      },
      { logger: false, abortOnError: false },
    );
    await context.init();
    const objects = context.get<Objects>(Objects);
    expect(objects).toBeInstanceOf(DiskObjects);
    expect((await stat(dir)).isDirectory()).toBe(true);
    await objects.check();
    await context.close();
    await rm(parent, { recursive: true });
  });
});
