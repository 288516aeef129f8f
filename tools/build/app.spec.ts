import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { buildApp } from './app.ts';
import { isBuilt } from './inputs.ts';

const program = `
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import pg from 'pg';

@Injectable()
class Clock { readonly year = 2026; }

@Injectable()
class Calendar {
  constructor(private readonly clock: Clock) {}
  now(): number { return this.clock.year; }
}

@Module({ providers: [Clock, Calendar] })
class App {}

const app = await NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
const source = new DataSource({ type: 'postgres', driver: pg });
console.log(JSON.stringify({ year: app.get(Calendar).now(), name: Calendar.name, type: source.driver.options.type }));
`;

let app: string;

beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'vaultsvc-build-'));
  mkdirSync(join(app, 'src'));
  symlinkSync(resolve('node_modules'), join(app, 'node_modules'));
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(app, 'src/main.ts'), program);
});

afterAll(() => rmSync(app, { recursive: true }));

describe('A built app', () => {
  it('runs without node_modules, injects by type and keeps the names of its classes', async () => {
    await buildApp(app);
    rmSync(join(app, 'node_modules'));
    const output = execFileSync(process.execPath, ['--disable-proto=delete', join(app, 'dist/main.js')], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual({ year: 2026, name: 'Calendar', type: 'postgres' });
    symlinkSync(resolve('node_modules'), join(app, 'node_modules'));
  });

  it('is out of date after a change of a source, not of a spec', async () => {
    await buildApp(app);
    writeFileSync(join(app, 'src/main.spec.ts'), 'export {};');
    expect(isBuilt(app)).toBe(true);
    writeFileSync(join(app, 'src/main.ts'), `${program}\n// another line`);
    expect(isBuilt(app)).toBe(false);
  });

  it('stays complete while it is built again, for a stack that starts meanwhile', async () => {
    await buildApp(app);
    let isBuilding = true;
    const again = buildApp(app).finally(() => (isBuilding = false));
    let missing = 0;
    while (isBuilding) {
      if (!existsSync(join(app, 'dist/main.js'))) missing++;
      await setImmediate();
    }
    await again;
    expect(missing).toBe(0);
  });

  it('does not exist after an error in its source, which is reported with file and line', async () => {
    writeFileSync(join(app, 'src/main.ts'), 'const right = 1;\nconst wrong = ;\n');
    await expect(buildApp(app)).rejects.toThrow(/main\.ts:2/);
    expect(existsSync(join(app, 'dist/main.js'))).toBe(false);
    expect(isBuilt(app)).toBe(false);
  });

  it('needs src/main.ts, otherwise the build fails with the name of the app', async () => {
    await expect(buildApp(join(app, 'src'))).rejects.toThrow(/has no src\/main\.ts/);
  });
});
