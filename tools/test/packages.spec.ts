import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { decodeJwt } from 'jose';
import pg from 'pg';

/** ADR 17 */
describe('The packages that specs load from a bundle', () => {
  it('share what a setup file has loaded before', () => {
    @Injectable()
    class Thing {
      constructor(readonly count: number) {}
    }
    expect(Reflect.getMetadata('design:paramtypes', Thing)).toEqual([Number]);
    expect(Reflect.getMetadata('__injectable__', Thing)).toBe(true);
  });

  it('run where the spec file runs: their errors are its errors', () => {
    expect(() => decodeJwt('nothing')).toThrow(Error);
    expect(new pg.DatabaseError('refused', 7, 'error')).toBeInstanceOf(Error);
  });

  it('give a package that exports one thing as Node gives it', () => {
    expect(pg.Client.name).toBe('Client');
  });
});
